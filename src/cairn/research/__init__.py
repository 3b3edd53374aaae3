"""Cairn for research: one encoding of tokens and positions, a batch of games, and environments for other libraries.

==================== ============================================== ======================================
module               what it is                                     needs
==================== ============================================== ======================================
``encoding``         numbers for tokens, masks and observations     NumPy
``batch``            many games at once, in the native core         NumPy
``gymnasium``        Gymnasium environments                         the extra ``gymnasium``
``pettingzoo``       a PettingZoo environment                       the extra ``pettingzoo``
``openspiel``        an OpenSpiel game                              the extra ``openspiel``
==================== ============================================== ======================================

docs/environments.md has examples and the fact sheet.
"""
