import { toYaml } from '../../base/json/to-yaml.ts'
import { visible } from '../../base/unseen.ts'
import type { FoundReference, ObjectName, PatchFailure } from '../../patches/contract.ts'
import type { RoundTripVerdict } from '../../patches/round-trip/verdict.ts'
import { verdictText } from '../../patches/round-trip/wording.ts'
import type { DirectionReport, PatchTestReport, PolicyReport, RoundTripEntry } from '../../patches/trial/report.ts'
import type { Colors } from '../output/colors.ts'
import { textTable } from '../output/text-table.ts'
import { unifiedDiff } from '../output/unified-diff.ts'

/** The report for people. */
export function patchReportText(report: PatchTestReport, paths: readonly string[], colors: Colors): string {
  return [
    ...policyLines(report.policy, colors),
    ...direction('virtual to host', report.toHost, paths, colors),
    ...direction('host to virtual', report.toVirtual, paths, colors),
    colors.bold('Round trip'),
    roundTripLines(report.roundTrip, colors),
  ].join('\n')
}

function policyLines({ refusals, isHeld }: PolicyReport, colors: Colors): readonly string[] {
  if (refusals.length === 0) return []
  const title = isHeld ? 'Held back by the policy' : 'Not carried to the host by the policy'
  const rows = refusals.map(({ field, reason, remedy }) => [field, reason, remedy].map(visible))
  return [colors.bold(title), colors.yellow(textTable(rows))]
}

function direction(
  title: string,
  { before, outcome }: DirectionReport,
  paths: readonly string[],
  colors: Colors,
): readonly string[] {
  const counters = textTable([
    ['PATCH', 'PATH', 'MATCHED', 'CHANGED', 'NOT FOUND', 'FAILED'],
    ...outcome.counters.map(({ matched, changed, notFound, failed }, index) =>
      [index, paths[index] ?? '', matched, changed, notFound, failed].map(String),
    ),
  ])
  const heading = colors.bold(visible(`${before.kind} ${before.metadata.name}, ${title}`))
  if (outcome.state === 'failed') return [heading, colors.red(failureText(outcome.failure)), counters]
  const labels = { before: 'before the patches', after: 'after the patches' }
  const diff = unifiedDiff(toYaml(before), toYaml(outcome.object), labels, colors)
  return [heading, diff === '' ? 'no change\n' : diff, counters, ...referenceLines(outcome.references, colors)]
}

function failureText({ index, path, concretePath, expression, message }: PatchFailure): string {
  const at = concretePath === path ? path : `${path} at ${concretePath}`
  const source = expression === undefined ? '' : `  in ${visible(expression)}\n`
  return `patch ${index} (${visible(at)}) failed: ${visible(message)}\n${source}`
}

function referenceLines(references: readonly FoundReference[], colors: Colors): readonly string[] {
  if (references.length === 0) return []
  const rows = references.map((reference) => [
    `${reference.apiVersion} ${reference.kind}`,
    objectName(reference),
    reference.translated === undefined ? 'not one of this tenant, to be imported' : objectName(reference.translated),
    `at ${reference.path}`,
  ])
  return [colors.bold('References'), textTable(rows)]
}

function roundTripLines(entries: readonly RoundTripEntry[], colors: Colors): string {
  const table = textTable(entries.map(({ index, path, verdict }) => [String(index), path, verdictText(verdict)]))
  const lines = table.split('\n').slice(0, -1)
  return lines.map((line, position) => `${painted(line, entries[position]?.verdict, colors)}\n`).join('')
}

function painted(line: string, verdict: RoundTripVerdict | undefined, colors: Colors): string {
  switch (verdict?.verdict) {
    case 'cancels':
      return colors.green(line)
    case 'counter-example':
      return colors.red(line)
    default:
      return colors.yellow(line)
  }
}

function objectName({ namespace, name }: ObjectName): string {
  return namespace === '' ? name : `${namespace}/${name}`
}
