"""The mathematics of the lesson and the states it works on: pure functions on torch tensors, frozen dataclasses.

Teachers' names are in ``lookup``, ``similarities``, ``weightings``, ``kernels``, ``temperature``, ``regression`` and
``flow``. By lesson:

- ground: ``arrays``, ``backend`` with ``device_faults``, ``errors``, ``job``, ``lazy``, ``parameters``, ``registry``,
  ``tensors``
- the document: ``app_state``, ``scene``, ``scene_edit``, a ``…_state`` for each panel, and ``notebook``: them as Python
- lookup: ``similarities``, ``weightings``, ``lookup``, ``explorer``, ``cost``, ``retrieval``, ``polygon``
- temperature: ``entropy``, ``boltzmann``, ``inverse`` with ``gaps``, ``bisection`` and ``reach``, ``why_softmax``,
  ``sparsity``, ``simplex``, ``sampling``, ``score_row``, ``score_presets``, ``temperature_…``
- regression: ``kernels``, ``points``, ``prepared`` with ``gaussian_sums``, ``compact_sums`` and ``kernel_sums``,
  ``leave_one_out``, ``bandwidth``, ``row_errors``, ``error_curves``, ``noise_spread``, ``learned_metric``,
  ``data_recipes``, ``regression_…``
- flow: ``score_gradients``, ``jacobians``, ``slopes``, ``dictionary``, ``descent``, ``checkpoint``, ``adam``,
  ``learnable``, ``diagnosis``, ``saturation``, ``verification``, ``paths``, ``hopfield``, ``hull``, ``flow_…``

In each lesson the module ``…_panel`` (or ``explorer``) has what its panel computes.
"""
