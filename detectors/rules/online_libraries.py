"""Libraries whose calls ask a service or a hub by themselves, without an address in the code."""

from __future__ import annotations

import re

from detectors.rules.hosts import Purpose

_P = Purpose


def _row(purpose: Purpose, *forms: str) -> tuple[Purpose, re.Pattern[str]]:
    return purpose, re.compile(rf"(?:{'|'.join(forms)})$")


_ANY = r"(?:\.\w+)*"
_CALLS = (
    _row(
        _P.PAGE,  # encyclopaedias, translators, searches, social media, maps, weather, markets
        r"wikipedia\.(?:summary|page|search|random|geosearch|suggest|WikipediaPage)",
        rf"wikipediaapi\.Wikipedia\.(?:page|article|categorymembers){_ANY}",
        rf"(?:pywikibot|wikidata|wptools|SPARQLWrapper|qwikidata){_ANY}",
        r"googletrans\.Translator\.(?:translate|detect)|translators\.\w+|"
        r"deep_translator\.\w+Translator(?:\.translate\w*)?|translate\.Translator\.translate|"
        r"(?:\w+\.)*TextBlob\.translate|argostranslate\.package\.(?:update|install)\w*",
        r"(?:gtts|gTTS)\.gTTS|speech_recognition\.Recognizer\.recognize_google",
        r"(?:pytrends\.\w+|pytrends\.request)\.TrendReq\.\w+|praw\.Reddit\.\w+(?:\.\w+)*|"
        r"(?:asyncpraw|tweepy|snscrape|facebook_scraper|instaloader|psaw|pmaw)\.\w+(?:\.\w+)+",
        r"(?:arxiv\.(?:Search|Client)(?:\.\w+)*|scholarly\.\w+(?:\.\w+)*|"
        r"semanticscholar\.\w+\.\w+|habanero\.\w+\.\w+|pyalex\.\w+(?:\.\w+)+)",
        r"(?:exa_py|tavily|serpapi|googlesearch|googleapiclient\.discovery)\.\w+(?:\.\w+)*",
        r"newspaper\.(?:Article\.download|build|article)|trafilatura\.fetch_\w+|"
        r"goose3\.Goose\.extract|requests_html\.\w*Session\.\w+|cloudscraper\.\w+\.\w+|"
        r"scrapy\.\w+(?:\.\w+)*",
        r"geopy\.geocoders\.\w+\.(?:geocode|reverse)|pgeocode\.\w+(?:\.\w+)?|geocoder\.\w+|"
        r"(?:osmnx|ox)\.(?:graph_from|features_from|geometries_from|geocode|footprints_from)\w*|"
        r"overpy\.Overpass\.query|googlemaps\.Client\.\w+|herepy\.\w+\.\w+|reverse_geocoder\.online",
        r"meteostat\.(?:Hourly|Daily|Monthly|Stations)(?:\.\w+)*|openmeteo_requests\.Client\.\w+|"
        r"(?:pyowm|noaa_sdk|wwo_hist|env_canada)\.\w+(?:\.\w+)*",
        r"yfinance\.(?:download|Ticker|Tickers)(?:\.\w+)*|(?:nasdaqdatalink|quandl)\.get\w*|"
        r"(?:fredapi\.Fred|alpha_vantage\.\w+\.\w+|ccxt\.\w+|polygon\.RESTClient|"
        r"finnhub\.Client|pycoingecko\.CoinGeckoAPI|yahooquery\.Ticker)\.\w+",
    ),
    _row(
        _P.DATA,
        r"pandas_datareader\.(?:\w+\.)*(?:DataReader|get_\w+)|(?:wbdata|wbgapi|world_bank_data|"
        r"eurostat|sodapy|census|cenpy|us_census|datacommons\w*|owid\.catalog)\.\w+(?:\.\w+)*",
        r"Bio\.(?:Entrez\.e\w+|ExPASy\.get_\w+|TogoWS\.\w+|KEGG\.REST\.\w+|"
        r"PDB\.PDBList\.retrieve\w*)|bioservices\.\w+\.\w+|"
        r"chembl_webresource_client\.\w+(?:\.\w+)+|pubchempy\.(?:get_|Compound\.from_)\w+|"
        r"mygene\.MyGeneInfo\.\w+|(?:mp_api\.client|pymatgen\.ext\.matproj|mp_api)\.MPRester"
        r"(?:\.\w+)*|matminer\.datasets\.(?:\w+\.)*load_dataset|jarvis\.db\.figshare\.data|"
        r"matbench\.\w+(?:\.\w+)*|aflow\.search|qmpy_rester\.\w+\.\w+",
        r"ee\.(?:Initialize|Image|ImageCollection|FeatureCollection)|"
        r"(?:planetary_computer|pystac_client|sentinelhub|sentinelsat|cdsapi|earthaccess|"
        r"astroquery|lightkurve|sunpy\.net|obspy\.clients|ads)\.\w+(?:\.\w+)*",
        r"pandas_gbq\.read_gbq|pandas\.read_gbq|databricks\.sql\.connect|"
        r"snowflake\.connector\.connect|pyathena\.connect|ibis\.bigquery\.connect",
        r"dvc\.api\.(?:open|read|get_url|DVCFileSystem)|wandb\.(?:Api(?:\.\w+)+|use_artifact|restore)|"
        r"clearml\.Dataset\.get|comet_ml\.api\.API(?:\.\w+)+|roboflow\.Roboflow(?:\.\w+)*|"
        r"fiftyone\.zoo\.load_zoo_dataset|geodatasets\.(?:get_path|fetch)|minio\.Minio\.f?get_object|"
        r"mlflow\.artifacts\.download_artifacts|neptune\.\w+(?:\.\w+)*\.download|deeplake\.load|hub\.load|quilt3\.\w+\.\w+|"
        r"label_studio_sdk\.Client\.\w+|osfclient\.\w+(?:\.\w+)+|zenodo_get\.\w+",
        r"openml\.(?:tasks|flows|runs|study|evaluations|datasets)\.(?:get|list|fetch)_\w+|"
        r"pmlb\.fetch_data|ucimlrepo\.fetch_ucirepo|statsmodels\.datasets\.get_rdataset|"
        r"(?:\w+\.)*get_rdataset|nilearn\.datasets\.fetch_\w+|skdata\.\w+(?:\.\w+)*|"
        r"sktime\.datasets\.load_(?:UCR_UEA_dataset|from_repo\w*|forecasting\w*)|"
        r"aeon\.datasets\.load_(?:classification|regression|forecasting)|"
        r"tslearn\.datasets\.UCR_UEA_datasets\.load_dataset|mne\.datasets\.\w+\.data_path|"
        r"deepchem\.molnet\.load_\w+|tdc\.(?:\w+\.)+\w+|ogb\.\w+\.\w+|ir_datasets\.load|"
        r"nlp\.load_dataset|modelscope\.(?:\w+\.)*MsDataset\.load|monai\.apps\.\w+Dataset|"
        r"torchtext\.datasets\.\w+|torch_geometric\.datasets\.\w+|dgl\.data\.\w+Dataset|"
        r"(?:pybaseball|nba_api|nfl_data_py|fastf1|statsbombpy|worldfootballR)\.\w+(?:\.\w+)*",
    ),
    _row(
        _P.WEIGHTS,
        r"huggingface_hub\.(?:HfApi|HfFileSystem|list_\w+|\w+_info)(?:\.\w+)*|"
        r"modelscope\.(?:\w+\.)*snapshot_download|stanza\.download|fasttext\.util\.download_model|"
        r"bpemb\.BPEmb|torchtext\.vocab\.(?:GloVe|FastText|CharNGram)|ollama\.pull|"
        r"laserembeddings\.download_models|benepar\.download|pyterrier\.init|"
        r"(?:gpt4all|llama_cpp)\.\w+\.(?:from_pretrained|download_model)|textblob\.download_corpora"
        r"(?:\.\w+)*",
    ),
    _row(
        _P.CODE,
        r"(?:git|gitdb)\.(?:repo\.)?Repo\.clone_from|dulwich\.porcelain\.clone|"
        r"pygit2\.clone_repository|github\.Github(?:\.\w+)+|gitlab\.Gitlab(?:\.\w+)+",
    ),
)
_OFFLINE = re.compile(  # what they do on this machine
    r"(?:^|\.)(?:set_\w+|close|config\w*|Point|distance|geodesic|plot\w*|simplify\w*|"
    r"nearest_nodes|shortest_path|exceptions\.\w+|\w*Error)$"
)


def asked_service(name: str) -> Purpose | None:
    """Say for what a call asks the network by itself; None where it is none of those.

    Parameters
    ----------
    name : str
        Dotted, as imported.

    Examples
    --------
    >>> str(asked_service("wikipedia.summary")), asked_service("geopy.distance.geodesic")
    ('a page or a service', None)
    """
    if "." not in name or _OFFLINE.search(name):
        return None
    return next((purpose for purpose, calls in _CALLS if calls.match(name)), None)
