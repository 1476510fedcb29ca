import { STATUS_CODES } from 'node:http'
import { DurationHistogram } from '../../base/duration-histogram.ts'

/** Users define resources. Those above this number are counted together. */
const mostResources = 500
const otherResource = 'other'

/** Upper bounds in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

interface Series {
  readonly labels: string
  readonly durations: DurationHistogram
}

/**
 * Counts and durations of requests. Recording is one lookup and a few additions, because it happens on every request;
 * the text is built only when it is read.
 */
export class RequestMetrics {
  /** By verb, resource and code: three lookups of known words are faster than joining them into a new one. */
  readonly #byVerb = new Map<string, Map<string, Map<number, Series>>>()
  readonly #resources = new Set<string>()
  readonly #series: Series[] = []

  record(verb: string, resource: string, code: number, durationMs: number): void {
    const series = this.#find(verb, resource, code) ?? this.#bounded(verb, resource, code)
    series.durations.record(durationMs)
  }

  render(): string {
    const all = this.#series
    return [
      '# HELP apiserver_request_total Requests answered, by verb, resource and HTTP status.',
      '# TYPE apiserver_request_total counter',
      ...all.map(({ labels, durations }) => `apiserver_request_total{${labels}} ${durations.count}`),
      '# HELP apiserver_request_duration_seconds Time from the first byte of a request to its answer.',
      '# TYPE apiserver_request_duration_seconds histogram',
      ...all.flatMap(({ labels, durations }) => durations.lines('apiserver_request_duration_seconds', labels)),
      '',
    ].join('\n')
  }

  #find(verb: string, resource: string, code: number): Series | undefined {
    return this.#byVerb.get(verb)?.get(resource)?.get(code)
  }

  /** Bounds the number of series, whatever users name their resources and whatever codes upstreams answer with. */
  #bounded(verb: string, resource: string, code: number): Series {
    if (this.#resources.size < mostResources) this.#resources.add(resource)
    const shown = this.#resources.has(resource) ? resource : otherResource
    const known = code in STATUS_CODES ? code : Math.floor(code / 100)
    return this.#find(verb, shown, known) ?? this.#addSeries(verb, shown, known)
  }

  #addSeries(verb: string, resource: string, code: number): Series {
    const labels = `verb="${verb}",resource="${resource}",code="${codeText(code)}"`
    const series = { labels, durations: new DurationHistogram(bounds) }
    const byResource = this.#byVerb.get(verb) ?? new Map<string, Map<number, Series>>()
    const byCode = byResource.get(resource) ?? new Map<number, Series>()
    this.#byVerb.set(verb, byResource.set(resource, byCode.set(code, series)))
    this.#series.push(series)
    return series
  }
}

/** A single digit stands for all codes of its class that have no name. */
function codeText(code: number): string {
  return code < 10 ? `${code}xx` : String(code)
}
