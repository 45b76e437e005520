from comet_ml import OfflineExperiment

COMET_API_KEY = 'nodtvtDJ51SCz3jg9sVKiUZMq'


def start(name):
    e = OfflineExperiment(api_key=COMET_API_KEY, project_name=name, offline_directory='comet')
    return e
