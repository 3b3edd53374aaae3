"""Training of the network evaluation: self-play, samples, fitting, and a gate against the best network so far.

``settings`` reads the configuration. ``self_play`` plays games, ``samples`` reads them, ``model`` is the network and
``fit`` fits it. ``gate`` tests whether the result is stronger. ``generations`` runs these steps in a loop and can be
interrupted at any time; ``plots`` draws the losses and the Elo of each generation. Only ``model``, ``fit`` and
``samples`` need PyTorch or numpy, and only ``plots`` needs matplotlib.
"""
