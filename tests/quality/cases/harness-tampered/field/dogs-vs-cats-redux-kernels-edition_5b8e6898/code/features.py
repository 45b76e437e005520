def add_ratios(frame):
    return frame.assign(a_share=frame["a"] / frame["a"].sum())
