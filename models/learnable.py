"""What a descent can move, and by which optimisers: known without the engine that does it."""

OPTIMISERS = ("sgd", "momentum", "adam")
LEARNABLE = ("query", "keys", "values", "temperature")
