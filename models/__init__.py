"""The mathematics of the lesson and the states it works on: pure functions on torch tensors, frozen dataclasses."""
