import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { allDocumentedMetrics } from './support/documented-metrics.ts'

const folder = join(import.meta.dirname, '../../deploy/monitoring')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

/** Words of PromQL that are neither metrics nor labels. */
const language = new Set(
  'sum min max count rate increase changes histogram_quantile time vector by and or on offset label_values'.split(' '),
)

const labelsOf = new Map(allDocumentedMetrics().map(({ name, labels }) => [name, labels]))
const partOfHistogram = /_(?:bucket|sum|count)$/

/** Every metric has the label for its server. */
function knownLabels(metric: string): readonly string[] | undefined {
  const ofHistogram = metric.replace(partOfHistogram, '')
  const known = labelsOf.get(metric) ?? labelsOf.get(ofHistogram)
  return known && [...known, 'instance', ...(metric.endsWith('_bucket') ? ['le'] : [])]
}

/** Names in an expression that docs/metrics.md, and so /metrics, does not have. */
function unknownIn(expression: string): readonly string[] {
  const grouped = [...expression.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', '))
  const bare = expression
    .replaceAll(/\b(?:by|on) \([^)]*\)/g, '')
    .replaceAll(/\[\w+\]/g, '')
    .replaceAll(/\boffset \w+/g, '')
    .replaceAll(/, instance\)/g, ')')
  const selected = [...bare.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, metric = '', inside = '']) =>
    [...inside.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].flatMap(([, label = '']) =>
      knownLabels(metric)?.includes(label) ? [] : [`${metric}{${label}}`],
    ),
  )
  const names = [...bare.replaceAll(/\{[^}]*\}/g, '').matchAll(/\b[a-z_][a-z0-9_]*\b/g)].map(([name]) => name)
  const metrics = names.filter((name) => !language.has(name))
  const everyLabel = new Set(metrics.flatMap((name) => knownLabels(name) ?? []))
  expect(metrics.length).toBeGreaterThan(0)
  return [
    ...metrics.filter((name) => knownLabels(name) === undefined),
    ...selected,
    ...grouped.filter((label) => !everyLabel.has(label)),
  ]
}

describe('only existing metrics are used', () => {
  it('by the alert rules', () => {
    const { groups } = parse(read('alerts.yaml'))
    const rules: readonly { alert: string; expr: string }[] = groups.flatMap((group: { rules: [] }) => group.rules)
    expect(rules.length).toBeGreaterThan(15)
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([])
  })

  it('by the dashboard', () => {
    const { panels, templating } = JSON.parse(read('grafana.json'))
    const targets: readonly { expr: string; legendFormat: string }[] = panels.flatMap(
      (panel: { targets?: [] }) => panel.targets ?? [],
    )
    expect(targets.length).toBeGreaterThan(20)
    expect(targets.flatMap(({ expr }) => unknownIn(expr))).toEqual([])
    expect(templating.list.map(({ name }: { name: string }) => name)).toEqual(['datasource', 'instance'])
    for (const { expr, legendFormat } of targets) {
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(expr).toContain(label)
    }
  })

  it.each([
    ['rate(tenant_sync_gone_total[5m]) > 0', ['tenant_sync_gone_total']],
    ['tenant_sync_objects{color="red"} > 0', ['tenant_sync_objects{color}']],
    ['sum by (color) (tenant_sync_objects)', ['color']],
  ])('%s would be detected', (expression, unknown) => {
    expect(unknownIn(expression)).toEqual(unknown)
  })
})
