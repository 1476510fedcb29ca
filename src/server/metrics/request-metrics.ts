/** Upper bounds in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

interface Series {
  readonly labels: string
  readonly buckets: number[]
  count: number
  sumMs: number
}

/**
 * Counts and durations of requests. Recording is one look-up and a few additions, because it happens on every request;
 * the text is put together only when it is read.
 */
export class RequestMetrics {
  /** By verb, resource and code: looking up three known words is faster than joining them into one new one. */
  readonly #byVerb = new Map<string, Map<string, Map<number, Series>>>()
  readonly #series: Series[] = []

  record(verb: string, resource: string, code: number, durationMs: number): void {
    const series = this.#byVerb.get(verb)?.get(resource)?.get(code) ?? this.#addSeries(verb, resource, code)
    series.count++
    series.sumMs += durationMs
    const bucket = bucketOf(durationMs / 1000)
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1
  }

  render(): string {
    const all = this.#series
    return [
      '# HELP apiserver_request_total Requests answered, by verb, resource and HTTP status.',
      '# TYPE apiserver_request_total counter',
      ...all.map(({ labels, count }) => `apiserver_request_total{${labels}} ${count}`),
      '# HELP apiserver_request_duration_seconds Time from the first byte of a request to its answer.',
      '# TYPE apiserver_request_duration_seconds histogram',
      ...all.flatMap(histogramLines),
      '',
    ].join('\n')
  }

  #addSeries(verb: string, resource: string, code: number): Series {
    const labels = `verb="${verb}",resource="${resource}",code="${code}"`
    const series = { labels, buckets: new Array<number>(bounds.length + 1).fill(0), count: 0, sumMs: 0 }
    const byResource = this.#byVerb.get(verb) ?? new Map<string, Map<number, Series>>()
    const byCode = byResource.get(resource) ?? new Map<number, Series>()
    this.#byVerb.set(verb, byResource.set(resource, byCode.set(code, series)))
    this.#series.push(series)
    return series
  }
}

function bucketOf(seconds: number): number {
  let index = 0
  for (const bound of bounds) {
    if (seconds <= bound) return index
    index++
  }
  return index
}

function histogramLines({ labels, buckets, count, sumMs }: Series): readonly string[] {
  const name = 'apiserver_request_duration_seconds'
  let below = 0
  const lines = bounds.map((bound, index) => {
    below += buckets[index] ?? 0
    return `${name}_bucket{${labels},le="${bound}"} ${below}`
  })
  return [
    ...lines,
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${sumMs / 1000}`,
    `${name}_count{${labels}} ${count}`,
  ]
}
