python "$CODE_DIR/main.py" --seed "$SEED"
