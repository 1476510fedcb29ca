import type { Metric } from './documented-metrics.ts'

export interface ServedMetric extends Metric {
  /** Without samples, its labels are unknown. */
  readonly hasSamples: boolean
}

const sample = /^(\w+?)(?:\{(.*)\})? \S+$/
const label = /(\w+)="(?:[^"\\]|\\.)*"/g

/** The metrics in a page in the text format of Prometheus, with the labels of their samples. */
export function servedMetrics(text: string): readonly ServedMetric[] {
  const lines = text.split('\n').filter((line) => line !== '')
  const labels = new Map<string, Set<string>>()
  for (const line of lines.filter((each) => !each.startsWith('#'))) {
    const [, name, inside = ''] = sample.exec(line) ?? []
    if (name === undefined) throw new Error(`no sample: ${line}`)
    const known = labels.get(name) ?? new Set()
    labels.set(name, known)
    for (const [, each = ''] of inside.matchAll(label)) known.add(each)
  }
  return lines.flatMap((line) => {
    const [, name = '', type = ''] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? []
    if (name === '') return []
    const found = labels.get(type === 'histogram' ? `${name}_count` : name)
    return [{ name, type, labels: [...(found ?? [])].sort(), hasSamples: found !== undefined }]
  })
}
