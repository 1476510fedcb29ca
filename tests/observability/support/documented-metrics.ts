import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Metric {
  readonly name: string
  readonly type: string
  /** Sorted. */
  readonly labels: readonly string[]
}

export type MetricServer = 'platform' | 'virtual cluster' | 'tenant' | 'backup'

const row = /^\| `([a-z0-9_]+)` \| (\w+) \| (?:([a-z_, ]+) )?\| ([^|]+) \| ([^|]+) \|$/

/** The metrics of one server in docs/metrics.md. */
export function documentedMetrics(server: MetricServer): readonly Metric[] {
  return sections()
    .filter(({ servers }) => servers.includes(server))
    .flatMap(({ metrics }) => metrics)
}

export function allDocumentedMetrics(): readonly Metric[] {
  return sections().flatMap(({ metrics }) => metrics)
}

function sections() {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/metrics.md'), 'utf8')
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      servers: /^Served by: (.+)\.$/m.exec(section)?.[1]?.split(', ') ?? [],
      metrics: section
        .split('\n')
        .filter((line) => line.startsWith('| `'))
        .map(metricOf),
    }))
}

function metricOf(line: string): Metric {
  const [, name, type, labels = ''] = row.exec(line) ?? []
  if (name === undefined || type === undefined) throw new Error(`docs/metrics.md: no row of a metric: ${line}`)
  return {
    name,
    type,
    labels: labels
      .split(', ')
      .filter((label) => label !== '')
      .sort(),
  }
}
