import type { Attributes, Decision } from '../../api/access.ts'
import type { AccessKeyScope } from '../../api/types/management.ts'
import type { ResourceRule } from '../contract.ts'
import type { KeyCheck } from '../keys/contract.ts'
import { compileScope, linkRefusal } from './compile.ts'
import type { ScopeEnvironment } from './grant.ts'
import { isLinking } from './privilege.ts'
import { isResourceRequest } from './request.ts'
import { smallestEntry } from './smallest-entry.ts'

/** The layers that decide on a request, in the order in which they are asked. */
export type Layer = 'key state' | 'scope' | 'role' | 'owner' | 'inside' | 'license'

export interface LayerFinding {
  readonly layer: Layer
  readonly allows: boolean
  readonly sentence: string
  /** The smallest change after which this layer would allow the request. */
  readonly change?: SuggestedChange
}

/** A change with a sentence that explains it. */
export type SuggestedChange = { readonly sentence: string } & (
  | { readonly kind: 'change-key'; readonly field: string; readonly value: unknown }
  | { readonly kind: 'new-key'; readonly scope?: AccessKeyScope }
  | { readonly kind: 'unlock-owner' }
  /** The entries to add to each list of the scope. */
  | { readonly kind: 'add-to-scope'; readonly scope: AccessKeyScope }
  | { readonly kind: 'grant-to-owner'; readonly namespace: string; readonly rule: ResourceRule | OwnerPathRule }
  /** The owner needs another ClusterRole behind the platform. */
  | { readonly kind: 'role-inside' }
  | { readonly kind: 'license'; readonly feature: string }
  | { readonly kind: 'change-request' }
)

interface OwnerPathRule {
  readonly verbs: readonly string[]
  readonly nonResourceURLs: readonly string[]
}

export interface Explanation {
  readonly allowed: boolean
  /** Undefined when the request is allowed. */
  readonly refusedBy: Layer | undefined
  readonly summary: string
  readonly findings: readonly LayerFinding[]
}

export interface ExplainQuestion {
  readonly key: ExplainedKey
  readonly request: Attributes
  /** The owner's RBAC decision without any scope. For a proxied request, about passing the proxy. */
  readonly ownerDecision: Decision
  readonly ownerRequest?: Attributes
  /** The answer of the API behind the platform, if the request is for it and the owner may use it. */
  readonly inside?: InsideAnswer | undefined
  readonly license?: LicenseAnswer | undefined
}

export interface InsideAnswer {
  /** The request in words. */
  readonly place: string
  /** The owner's ClusterRoles there. */
  readonly roles: readonly string[]
  /** Undefined: it could not be asked, for the given reason. */
  readonly allowed: boolean | undefined
  readonly reason: string
}

export interface LicenseAnswer {
  readonly feature: string
  readonly included: boolean
  readonly reason?: string
}

export interface ExplainedKey {
  readonly name: string
  readonly owner: string
  readonly state: Exclude<KeyCheck['state'], 'unknown'> | 'owner-locked' | 'owner-gone'
  readonly scope?: AccessKeyScope | undefined
}

/** Asks every layer, even after one has refused, so that a user who fixes one knows about the next. */
export function explain(question: ExplainQuestion, environment: ScopeEnvironment): Explanation {
  const findings = [
    keyFinding(question),
    isLinking(question.request, environment.managementGroup)
      ? linkFinding(question, environment)
      : scopeFinding(question, environment),
    ownerFinding(question),
    ...insideFindings(question),
    ...licenseFindings(question),
  ]
  const refusal = findings.find(({ allows }) => !allows)
  return {
    allowed: refusal === undefined,
    refusedBy: refusal?.layer,
    summary: refusal?.sentence ?? allowedText(question),
    findings,
  }
}

function allowedText({ key, inside }: ExplainQuestion): string {
  const allowed = `The access key ${key.name} may do this`
  if (inside === undefined || inside.allowed !== undefined) return `${allowed}.`
  return `${allowed} as far as the platform decides; the ${inside.place} could not be asked.`
}

function keyFinding({ key }: ExplainQuestion): LayerFinding {
  const { name, owner, state } = key
  const refuses = (sentence: string, change: SuggestedChange): LayerFinding => ({
    layer: 'key state',
    allows: false,
    sentence,
    change,
  })
  switch (state) {
    case 'valid':
      return { layer: 'key state', allows: true, sentence: `The access key ${name} is good.` }
    case 'disabled':
      return refuses(`The access key ${name} is disabled.`, {
        kind: 'change-key',
        field: 'spec.disabled',
        value: false,
        sentence: `Enable it: set spec.disabled of ${name} to false.`,
      })
    case 'expired':
      return refuses(
        `The access key ${name} has expired.`,
        newKey(key, `Make a new key, or set a later end with spec.ttl of ${name}.`),
      )
    case 'deleted':
      return refuses(`The access key ${name} is being deleted.`, newKey(key, 'Make a new key.'))
    case 'owner-gone':
      return refuses(
        `The owner of the access key ${name}, ${owner}, does not exist any more.`,
        newKey(key, 'Make a new key for another owner.'),
      )
    case 'owner-locked':
      return refuses(`The owner of the access key ${name}, ${owner}, is locked.`, {
        kind: 'unlock-owner',
        sentence: `Unlock ${owner}: set spec.disabled to false.`,
      })
  }
}

function newKey({ scope }: ExplainedKey, sentence: string): SuggestedChange {
  return { kind: 'new-key', sentence, ...(scope === undefined ? {} : { scope }) }
}

function scopeFinding({ key, request }: ExplainQuestion, environment: ScopeEnvironment): LayerFinding {
  const verdict = compileScope(key.scope, environment)?.grant(request)
  if (verdict === undefined)
    return { layer: 'scope', allows: true, sentence: `The access key ${key.name} has no scope.` }
  if (verdict.granted) {
    const by = verdict.entry === '' ? 'every access key may do this' : `${verdict.entry} covers the request`
    return { layer: 'scope', allows: true, sentence: `In the scope of ${key.name}, ${by}.` }
  }
  const entry = smallestEntry(request, environment)
  const change: SuggestedChange =
    entry === undefined
      ? { kind: 'change-request', sentence: 'Ask for something else: no entry of a scope can allow this.' }
      : { kind: 'add-to-scope', scope: entry, sentence: addText(entry, request) }
  return { layer: 'scope', allows: false, sentence: `The scope of ${key.name} refuses: ${verdict.reason}.`, change }
}

function linkFinding({ key, request }: ExplainQuestion, environment: ScopeEnvironment): LayerFinding {
  const scope = compileScope(key.scope, environment)
  if (scope?.grant(request).granted === true) {
    return { layer: 'role', allows: true, sentence: `The access key ${key.name} has the role "tenant" for this.` }
  }
  return { layer: 'role', allows: false, sentence: `${linkRefusal}.`, ...linkChange(key, request, environment) }
}

/** An entry would limit a key that has no scope, so a new key is suggested instead. */
function linkChange(
  key: ExplainedKey,
  request: Attributes,
  environment: ScopeEnvironment,
): { readonly change?: SuggestedChange } {
  const entry = smallestEntry(request, environment)
  if (entry === undefined) return {}
  if (compileScope(key.scope, environment) !== undefined) {
    return { change: { kind: 'add-to-scope', scope: entry, sentence: addText(entry, request) } }
  }
  return { change: { kind: 'new-key', scope: entry, sentence: `Make a key with ${entryText(entry, 'in')}.` } }
}

function addText(scope: AccessKeyScope, request: Attributes): string {
  const added = `Add ${entryText(scope, 'to')} of the key`
  return scope.rules === undefined ? `${added}.` : `${added}. ${otherListText(request)}`
}

/** A rule has a list that the reader did not ask for. */
function otherListText(request: Attributes): string {
  return isResourceRequest(request)
    ? 'Its nonResourceURLs name a path that every key may request, because without them the rule would allow every path.'
    : 'Its resources name what every key may request, because without them the rule would allow every object.'
}

/** For example `{"project":"a"} to spec.scope.projects`. */
function entryText(scope: AccessKeyScope, preposition: 'to' | 'in'): string {
  return Object.entries(scope)
    .map(([list, entries]) => [JSON.stringify(Array.isArray(entries) ? entries[0] : entries), `spec.scope.${list}`])
    .map(([entry, list]) => `${entry} ${preposition} ${list}`)
    .join(' and ')
}

function ownerFinding({ key, request, ownerRequest = request, ownerDecision }: ExplainQuestion): LayerFinding {
  const { owner } = key
  if (ownerDecision.verdict === 'allow') {
    return { layer: 'owner', allows: true, sentence: `The owner, ${owner}, may do this.` }
  }
  const because = ownerDecision.reason === '' ? '' : `: ${ownerDecision.reason}`
  return {
    layer: 'owner',
    allows: false,
    sentence: `The owner, ${owner}, may not do this${because}.`,
    change: ownerChange(owner, ownerRequest),
  }
}

function ownerChange(owner: string, request: Attributes): SuggestedChange {
  const verbs = [request.verb]
  if (!isResourceRequest(request)) {
    const rule = { verbs, nonResourceURLs: [request.path] }
    return {
      kind: 'grant-to-owner',
      namespace: '',
      rule,
      sentence: `Give ${owner} a ClusterRole with ${JSON.stringify(rule)}.`,
    }
  }
  const { group, resource, subresource, namespace, name } = request
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  const names = name === '' ? {} : { resourceNames: [name] }
  const rule = { verbs, apiGroups: [group], resources: [whole], ...names }
  const where = namespace === '' ? 'a ClusterRole' : `a Role in namespace ${namespace}`
  return { kind: 'grant-to-owner', namespace, rule, sentence: `Give ${owner} ${where} with ${JSON.stringify(rule)}.` }
}

function insideFindings({ key: { owner }, inside }: ExplainQuestion): readonly LayerFinding[] {
  if (inside === undefined) return []
  const { place, roles, allowed, reason } = inside
  const because = reason === '' ? '' : `: ${reason}`
  if (allowed === undefined) {
    return [{ layer: 'inside', allows: true, sentence: `The ${place} decides too, and could not be asked${because}.` }]
  }
  const there = `In the ${place}, ${owner} has the ClusterRole ${roles.join(', ')}`
  if (allowed) return [{ layer: 'inside', allows: true, sentence: `${there}, and may do this.` }]
  const sentence = `Give ${owner} another clusterRole by spec.access of the ${place}, or a role there.`
  const change: SuggestedChange = { kind: 'role-inside', sentence }
  return [{ layer: 'inside', allows: false, sentence: `${there}, and may not do this${because}.`, change }]
}

function licenseFindings({ license }: ExplainQuestion): readonly LayerFinding[] {
  if (license === undefined) return []
  const { feature, included, reason } = license
  if (included) return [{ layer: 'license', allows: true, sentence: `The license includes ${feature}.` }]
  const change: SuggestedChange = { kind: 'license', feature, sentence: `Install a license that includes ${feature}.` }
  return [
    {
      layer: 'license',
      allows: false,
      sentence: reason === undefined ? `The license does not include ${feature}.` : `The license refuses: ${reason}.`,
      change,
    },
  ]
}
