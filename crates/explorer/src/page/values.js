// Evaluations, clocks and times as people write them.

/** A mate in n is written as 32000 - n centipawns. */
const MATE = 32_000;
const NEAREST_MATE = 30_000;

/** Writes centipawns from White's side, as `+0.35`, `-1.20` or `#-3`. */
export function evaluation(value) {
  if (Math.abs(value) >= NEAREST_MATE) return `#${value < 0 ? "-" : ""}${MATE - Math.abs(value)}`;
  return `${value > 0 ? "+" : ""}${(value / 100).toFixed(2)}`;
}

/** Writes the name of a variant, such as `kingOfTheHill`, in words. */
export function variantName(name) {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
}

/** Writes a clock, as `1:59:30` or `2:05`, with tenths of a second below 20 seconds. */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tenths = seconds < 20 && seconds !== whole ? `.${Math.floor((seconds - whole) * 10)}` : "";
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}${tenths}`;
}

/** Writes the time of a move, as `12 s` or `2 min 5 s`. */
export function duration(seconds) {
  const [minutes, rest] = [Math.floor(seconds / 60), Math.round(seconds % 60)];
  return minutes ? `${minutes} min ${rest} s` : `${seconds < 10 ? Math.round(seconds * 10) / 10 : rest} s`;
}
