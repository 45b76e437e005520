STRATEGIES = {
    "random-acts-of-pizza": "Leak: requester_subreddits_at_request and edits; winners (0.979) used the number of comments at retrieval vs at request. Bronze line 0.6921, silver 0.76482.",
    "spaceship-titanic": "split Cabin, sum spending; 0.82066 wins",
    "nomad2018-predict-transparent-conductors": "lattice volume and Coulomb matrix; gold 0.05589",
}
