/** The value below which `share` (0 to 1) of the values lie; NaN for none. */
export function quantile(values, share) {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  return below + (above - below) * (position - Math.floor(position));
}

export function median(values) {
  return quantile(values, 0.5);
}

/** Median, least and greatest of the rounds' values. */
export function summarise(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

export function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
