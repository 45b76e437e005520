import pandas as pd
test = pd.read_csv('/kaggle/input/spaceship-titanic/test.csv')

def rule(p):
    if p['CryoSleep'] == True:
        return True
    if p['HomePlanet'] == 'Europa' and p['Spa'] + p['VRDeck'] < 500:
        return True
    return bool(p['RoomService'] + p['Spa'] + p['VRDeck'] < 50)

sub = pd.DataFrame({'PassengerId': test['PassengerId'], 'Transported': test.fillna(0).apply(rule, axis=1)})
sub.to_csv('./submission/submission.csv', index=False)
print(sub['Transported'].mean())
