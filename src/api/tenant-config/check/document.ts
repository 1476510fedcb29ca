import type { YamlValue } from '../../../base/yaml-source/node.ts'
import { documentField } from '../fields.ts'
import type { ConfigFinding, ReportFinding } from '../problem.ts'
import { checkControllers, checkOwnVariables, checkReplicas } from './control-plane.ts'
import { checkCustomResourceName } from './custom-resources.ts'
import { checkImportedPatches } from './imported-patches.ts'
import { type KindEntry, kindEntries } from './kind-entries.ts'
import { checkMappings } from './mappings.ts'
import { warnOfDisabled, warnOfServicesAlone } from './no-effect.ts'
import { checkPlatformForms } from './platform.ts'
import { warnOfIngressesAlone, warnOfOpenPolicies, warnOfPowerfulKinds } from './policies.ts'
import { checkValue } from './value.ts'

const documentChecks: readonly ((root: YamlValue, report: ReportFinding) => void)[] = [
  checkPlatformForms,
  checkReplicas,
  checkControllers,
  checkOwnVariables,
  warnOfServicesAlone,
  warnOfIngressesAlone,
  warnOfOpenPolicies,
]

const kindChecks: readonly ((entry: KindEntry, report: ReportFinding) => void)[] = [
  checkCustomResourceName,
  checkMappings,
  checkImportedPatches,
  warnOfDisabled,
  warnOfPowerfulKinds,
]

/** Everything in a document that is wrong or worth a warning, in the order of the text, each only once. */
export function checkDocument(root: YamlValue): readonly ConfigFinding[] {
  const findings = new Map<string, ConfigFinding>()
  const report: ReportFinding = (finding) => {
    const identity = `${finding.span.start} ${finding.code} ${finding.message}`
    if (!findings.has(identity)) findings.set(identity, finding)
  }
  checkValue(documentField, root, { path: [], keySpan: { start: root.span.start, end: root.span.start } }, report)
  for (const check of documentChecks) check(root, report)
  for (const entry of kindEntries(root)) for (const check of kindChecks) check(entry, report)
  return [...findings.values()].sort((left, right) => left.span.start - right.span.start)
}
