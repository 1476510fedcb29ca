import type { KubeObject } from '../../api/object.ts'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import type { EffectiveConfig, PatchConfig } from '../../api/tenant-config/types.ts'
import { JsonSyntaxError } from '../../base/json/error.ts'
import { asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { parseYaml } from '../../base/json/yaml.ts'
import { compilePatches } from '../../patches/compile.ts'
import { checkConfig } from '../../patches/config/check-config.ts'
import type { CompiledPatch } from '../../patches/contract.ts'
import { isKubeObject } from '../../patches/kube-object.ts'

/** An error in a question, with its location. */
export interface QuestionProblem {
  /** For example `object` or `patches[0].expression`. */
  readonly field: string
  readonly message: string
  /** Offset into the text of the field, in UTF-16 units, from 0. */
  readonly offset?: number
}

export interface PatchQuestion {
  readonly resource: string
  readonly tenant: string
  readonly hostNamespace: string
  readonly config: EffectiveConfig
  readonly patches: readonly CompiledPatch[]
  readonly virtualObject: KubeObject
  readonly hostObject?: KubeObject
}

export type ReadQuestion =
  | { readonly ok: true; readonly question: PatchQuestion }
  | { readonly ok: false; readonly problems: readonly QuestionProblem[] }

export const mostPatches = 50
export const longestText = 256 * 1024
/** Limit for all patches together: parsing takes a few milliseconds per thousand characters. */
export const longestPatches = 32 * 1024

/** Limit for a tenant.yaml that a user submits for evaluation or review. */
export const longestConfig = 32 * 1024

/** The schema of the review has checked the types; all remaining problems are reported together. */
export function readEvaluationQuestion(spec: Readonly<Record<string, unknown>>): ReadQuestion {
  const problems: QuestionProblem[] = []
  const report = (field: string, message: string, offset?: number) =>
    problems.push({ field, message, ...(offset === undefined ? {} : { offset }) })
  const virtualObject = readObject('object', spec.object, report)
  const hostObject = isBlank(spec.hostObject) ? undefined : readObject('hostObject', spec.hostObject, report)
  const config = readConfig(asText(spec.config), report)
  const patches = readPatches(spec.patches, report)
  if (problems.length > 0 || virtualObject === undefined || config === undefined) return { ok: false, problems }
  return {
    ok: true,
    question: {
      resource: asText(spec.resource),
      tenant: asText(spec.tenant) || 'demo',
      hostNamespace: asText(spec.hostNamespace) || 'tenant-demo',
      config,
      patches,
      virtualObject,
      ...(hostObject === undefined ? {} : { hostObject }),
    },
  }
}

type Report = (field: string, message: string, offset?: number) => void

function readObject(field: string, text: unknown, report: Report): KubeObject | undefined {
  if (typeof text !== 'string' || text.length > longestText) {
    report(field, `must be text of at most ${longestText} characters`)
    return undefined
  }
  try {
    const { value } = parseYaml(text)
    if (isKubeObject(value) && typeof value.metadata.name === 'string') return value
    report(field, 'is not a Kubernetes object: apiVersion, kind or metadata.name is missing')
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    report(field, error.message)
  }
  return undefined
}

function readConfig(text: string, report: Report): EffectiveConfig | undefined {
  if (text.length > longestConfig) {
    report('config', `must be text of at most ${longestConfig} characters`)
    return undefined
  }
  const { config, problems } = checkConfig(text, 'tenant.yaml')
  if (config !== undefined) return effectiveConfig(config)
  for (const { line, message } of problems) report('config', `line ${line}: ${message}`)
  return undefined
}

function readPatches(value: unknown, report: Report): readonly CompiledPatch[] {
  const list = Array.isArray(value) ? value.filter(isPatch) : []
  if (list.length === 0) report('patches', 'at least one patch is needed')
  if (list.length > mostPatches) report('patches', `no more than ${mostPatches} can be tried out together`)
  if (JSON.stringify(list).length > longestPatches) {
    report('patches', `no more than ${longestPatches} characters of them can be tried out together`)
    return []
  }
  const compiled = compilePatches(list.slice(0, mostPatches))
  if (compiled.ok) return compiled.patches
  for (const { index, field, offset, message } of compiled.problems) {
    report([`patches[${index}]`, ...field].join('.'), message, offset)
  }
  return []
}

function isPatch(value: unknown): value is PatchConfig {
  return isJsonObject(value) && typeof value.path === 'string'
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
