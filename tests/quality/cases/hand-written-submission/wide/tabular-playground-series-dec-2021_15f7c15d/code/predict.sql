COPY (
  SELECT Id, CASE WHEN Elevation > 3050 THEN 1 WHEN Elevation > 2500 THEN 2 WHEN Elevation > 2200 THEN 3 ELSE 6 END AS Cover_Type
  FROM read_csv_auto('../data/test.csv')
) TO '/home/submission/submission.csv' (HEADER, DELIMITER ',');
