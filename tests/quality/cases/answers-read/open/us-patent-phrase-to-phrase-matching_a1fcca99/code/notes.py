"""
Data layout, as documented by the benchmark:

    <data-dir>/
      us-patent-phrase-to-phrase-matching/
        prepared/
          public/    train.csv test.csv sample_submission.csv description.md
          private/   test.csv        <- answers, only for the grader

Inside the container `prepared/public` is mounted at /home/data.
"""
