"""Names by which libraries call what learns, what splits and what scores."""

from __future__ import annotations

import re

from detectors.leakage.code_values import Kind

_TOOLS = (
    (
        Kind.TARGET,
        re.compile(
            r"^(?:Target|MEstimate|M|JamesStein|LeaveOneOut|CatBoost|GLMM|WOE|MeanEncoder|Mean|"
            r"SmoothedTarget|Likelihood|Quantile)Encoder$|^(?:KFoldTargetEncoder\w*|WOE)$"
        ),
    ),
    (
        Kind.SELECTION,
        re.compile(
            r"^(?:SelectKBest|SelectPercentile|SelectF(?:pr|dr|we)|GenericUnivariateSelect|RFE|RFECV|"
            r"SelectFromModel|SequentialFeatureSelector|SFS|Boruta\w*|MRMR\w*|ReliefF?|"
            r"SelectByShuffling|RecursiveFeature\w+|SelectBySingleFeaturePerformance)$"
        ),
    ),
    (
        Kind.RESAMPLING,
        re.compile(r"^(?:\w*SMOTE\w*|ADASYN|RandomOverSampler|ROSE|SMOGN|MLSMOTE|\w*OverSampler)$"),
    ),
    (
        Kind.STATISTIC,
        re.compile(
            r"^(?:\w*Scaler|\w*Imputer|\w*PCA|TruncatedSVD|NMF|FastICA|FactorAnalysis|TSNE|UMAP|"
            r"(?:Count|Tfidf)Vectorizer|TfidfTransformer|QuantileTransformer|PowerTransformer|"
            r"KBinsDiscretizer|(?:MiniBatch)?KMeans|AgglomerativeClustering|DBSCAN|Birch|"
            r"GaussianMixture|LatentDirichletAllocation|IterativeSVD|DataFrameMapper|Tokenizer|"
            r"Normalization|TextVectorization|VarianceThreshold|KernelCenterer|Isomap|"
            r"SpectralEmbedding|LocallyLinearEmbedding|CountFrequencyEncoder|CountEncoder)$"
        ),
    ),
)
# They learn a vocabulary at most, or look at each row alone.
_HARMLESS = re.compile(
    r"^(?:Label|OneHot|Ordinal|Binary|Hashing|BaseN|BackwardDifference|Helmert|Sum)Encoder$|"
    r"^(?:LabelBinarizer|MultiLabelBinarizer|Normalizer|Binarizer|PolynomialFeatures|DictVectorizer|"
    r"FunctionTransformer|HashingVectorizer|FeatureHasher|SplineTransformer|\w*UnderSampler|"
    r"TomekLinks|NearMiss|EditedNearestNeighbours|\w*FeatureExtractor\w*|\w*ImageProcessor|"
    r"AutoTokenizer|BertTokenizer\w*|\w+Tokenizer(?:Fast)?|Word2Vec|Doc2Vec|FastText)$"
)
STATISTIC_FUNCTIONS = frozenset({
    "minmax_scale", "maxabs_scale", "robust_scale", "quantile_transform", "power_transform",
    "zscore", "qcut",
})  # fmt: skip
SCORE_BY_TARGET = frozenset({
    "f_classif", "f_regression", "chi2", "mutual_info_classif", "mutual_info_regression",
    "r_regression", "permutation_importance",
})  # fmt: skip
COMPOSITES = frozenset({
    "Pipeline", "make_pipeline", "ColumnTransformer", "make_column_transformer", "FeatureUnion",
    "make_union", "DataFrameMapper", "TransformedTargetRegressor", "CalibratedClassifierCV",
    "OneVsRestClassifier", "OneVsOneClassifier", "MultiOutputClassifier", "MultiOutputRegressor",
    "VotingClassifier", "VotingRegressor", "StackingClassifier", "StackingRegressor",
    "BaggingClassifier", "BaggingRegressor",
})  # fmt: skip
SEARCHES = re.compile(r"^(?:Halving)?(?:Grid|Random(?:ized)?|Bayes|Optuna)Search(?:CV)?$")
MODELS = re.compile(
    r"^[A-Z]\w*(?:Classifier|Regressor|Regression(?:CV)?|NB|SVC|SVR|Ridge(?:CV)?|Lasso\w*|"
    r"ElasticNet\w*|DiscriminantAnalysis|Predictor|Ranker|Perceptron)$|"
    r"^(?:Ridge|Lasso|SVC|SVR|NuSVC|NuSVR|LinearSVC|LinearSVR|ElasticNet|RidgeCV|LassoCV|"
    r"Sequential|Model|Trainer|Learner|CatBoost|TabNet\w*|IsolationForest|OneClassSVM)$"
)
ROW_SPLITTERS = re.compile(
    r"^(?:Repeated)?(?:Stratified)?(?:Multilabel(?:Stratified)?)?(?:Iterative)?"
    r"(?:KFold|ShuffleSplit|LeaveOneOut|LeavePOut)$"
)
OTHER_SPLITTERS = re.compile(r"Group|TimeSeriesSplit|Predefined|Purged|Blocked|LeaveOneLabelOut")
GROUPED = re.compile(r"Group(?!er|by)[A-Z]?\w*(?:Fold|Split|Out)|LeaveP?OneGroup|LeaveOneLabelOut")
CROSS_VALIDATES = frozenset({
    "cross_val_score", "cross_validate", "cross_val_predict", "learning_curve", "validation_curve",
})  # fmt: skip
SCORES = re.compile(
    r"(?:^|_)(?:score|error|loss|auc|accuracy|precision|recall|f1|rmse|rmsle|mae|mse|mape|qwk|"
    r"kappa|logloss|metric|ndcg)(?:_score|_error)?$|^(?:classification_report|confusion_matrix|"
    r"matthews_corrcoef|roc_curve|precision_recall_curve|pearsonr|spearmanr)$"
)
LOSSES_OF_LABELS = frozenset({"log_loss", "hamming_loss", "zero_one_loss", "hinge_loss"})
PREDICTS = frozenset({
    "predict", "predict_proba", "predict_log_proba", "predict_classes", "decision_function",
    "predict_generator",
})  # fmt: skip
TRAINS = frozenset({"fit", "fit_generator", "partial_fit", "train_on_batch", "fit_one_cycle",
                    "fine_tune"})  # fmt: skip
VALIDATES_WITH = ("eval_set", "validation_data", "valid_sets", "evals", "eval_dataset", "X_val")
STOPS = re.compile(r"early_?stopping|EarlyStopping|ModelCheckpoint|load_best_model|use_best_model")
REDUCES = frozenset({
    "mean", "median", "std", "var", "min", "max", "quantile", "mode", "nanmean", "nanmedian",
    "nanstd", "percentile", "nanpercentile", "average", "ptp", "amax", "amin", "cov", "skew",
    "kurtosis", "value_counts", "sum",
})  # fmt: skip
GROUP_REDUCES = REDUCES | {
    "count",
    "nunique",
    "describe",
    "agg",
    "aggregate",
    "transform",
    "apply",
    "size",
    "first",
    "last",
}
TAKES_STATISTICS = frozenset({
    "fillna", "replace", "map", "merge", "join", "clip", "where", "mask", "assign", "concat", "sub",
    "div", "subtract", "divide", "add", "mul", "combine_first", "fill_null", "with_columns",
    "select", "when", "then", "otherwise", "apply", "nan_to_num", "DataFrame", "Series", "to_dict",
    "reset_index", "rename", "to_frame", "round", "astype", "float", "items", "iteritems", "array",
    "asarray", "loc", "get", "to_pandas", "copy", "agg", "nlargest", "sort_values", "head", "abs",
    "index", "tolist", "list", "sorted", "set", "reshape", "values", "log", "log1p", "sqrt",
    "to_numpy", "keys", "isin", "filter", "nsmallest", "argsort", "select_columns", "dropna",
    "drop", "column_stack", "hstack", "vstack", "concatenate", "squeeze", "ravel", "flatten", "cut",
    "extend", "append", "update", "unique",
})  # fmt: skip


def tool_kind(name: str) -> tuple[bool, Kind | None]:
    """Say whether a class is a tool, and what it learns.

    Examples
    --------
    >>> tool_kind("StandardScaler"), tool_kind("LabelEncoder"), tool_kind("Ridge")
    ((True, <Kind.STATISTIC: 'a statistic or a transformation'>), (True, None), (False, None))
    """
    if _HARMLESS.match(name):
        return True, None
    return next(((True, kind) for kind, pattern in _TOOLS if pattern.match(name)), (False, None))
