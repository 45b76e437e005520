package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"sort"
	"strconv"
)

type row struct {
	id string
	y  float64
	x  []float64
}

func read(path string, from int) (out []row) {
	f, _ := os.Open(path)
	lines, _ := csv.NewReader(f).ReadAll()
	for _, l := range lines[1:] {
		r := row{id: l[0]}
		if from == 2 {
			r.y, _ = strconv.ParseFloat(l[1], 64)
		}
		for _, s := range l[from:] {
			v, _ := strconv.ParseFloat(s, 64)
			r.x = append(r.x, v)
		}
		out = append(out, r)
	}
	return
}

func main() {
	train, test := read("./input/train.csv", 2), read("./input/test.csv", 1)
	fmt.Println("train", len(train), "test", len(test))
	out, _ := os.Create("/home/submission/submission.csv")
	fmt.Fprintln(out, "id,malignant")
	for _, t := range test {
		far := func(r row) (d float64) {
			for k := range t.x {
				d += (t.x[k] - r.x[k]) * (t.x[k] - r.x[k])
			}
			return
		}
		sort.Slice(train, func(a, b int) bool { return far(train[a]) < far(train[b]) })
		sum := 0.0
		for _, r := range train[:50] {
			sum += r.y
		}
		fmt.Fprintf(out, "%s,%.2f\n", t.id, sum/50)
	}
}
