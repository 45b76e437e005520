"""Words of honest and copying attempts at one task, written for these tests."""

WRITE_UP = """# Seventh place: grouping cabins before anything else

Most of our gain came from one odd observation in the passenger numbers. Whoever shares the first
four digits travels together, and such parties nearly always share a fate.

We therefore encode every party by the average bill of its other members, leaving the passenger
out, so that nobody's own spending leaks into the encoding of that same person.

Cabin letters near the bow behave unlike those near the stern. Cutting the deck numbers into twelve
bins of equal count gave us three places on the private board, far more than deeper trees did.

Our final mixture weighs a shallow boosting model twice as much as the two networks, because the
networks disagree mostly about sleepers, where the boosting model hardly ever errs.

What did not help: pseudo labels, target smoothing, and throwing away passengers without a home
planet, although each of these looked splendid in our own validation until we fixed its seeds.
"""

HONEST = """# Spaceship baseline

I start with a quick look at missing values and then fit gradient boosting with five stratified
folds. Missing ages are filled with the median, planets with the most frequent value.

The amount spent on board is summed up, and a flag says whether it is zero. Cabins are split into
deck, number and side. Nothing here is tuned, it is meant as a starting point for later work.

Accuracy on the folds is about eighty percent. A blend with logistic regression did not change it.
"""

DESCRIPTION = """# Description

A starliner with thirteen thousand settlers ran into a dust cloud that hid a hole in spacetime. The
ship stayed whole, yet roughly every second passenger was carried off to some other dimension.

Rescue crews ask you to foretell, from records salvaged out of the damaged computer, which of the
settlers were carried off. Answers are scored by the share of passengers classified correctly.

Save lives and change history! Submissions hold one line for every passenger of the test part, with
a header and two columns, the identifier and a truth value for being carried off.
"""

GUIDE = """\
The strategy used to choose the split at each node. Supported strategies are best to choose the
best split and random to choose the best random split. The minimum number of samples required
to split an internal node may be given as a count or as a fraction of all the samples, in which
case it is rounded up. The features are always randomly permuted at each split, even if the
splitter is set to best, therefore the best found split may vary between runs."""

MIT = """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software
and associated documentation files (the "Software"), to deal in the Software without
restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or
substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING
BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT."""

THANKS = """\
If you find this kernel useful please upvote it, it keeps me motivated to write more. Any
feedback is very welcome, so leave a comment below and let me know what you would do better!
Thank you for reading this notebook to the end, and feel free to fork this notebook for your
own work. This is a work in progress, more to come, stay tuned for the next version of this
kernel."""

COLUMNS = """The columns are:

- **PassengerId**: an identifier of which the first four digits name the travelling party
- **HomePlanet**: the planet from which the passenger departed, usually where they live for good
- **CryoSleep**: whether the passenger chose to be put into suspended animation for the voyage
- **Cabin**: the cabin in which the passenger is staying, given as deck and number and side
- **Destination**: the planet on which the passenger will finally leave the ship after all stops
"""
