import type { Kind } from '../../api/kind.ts'
import { type KubeObject, parseApiVersion } from '../../api/object.ts'
import { labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { ParamKind, ParamRef } from '../../api/types/admissionregistration-v1.ts'
import type { Engine, ResourceContext } from '../context.ts'
import type { StoredDocument } from '../document.ts'
import { snapshotOf } from '../documents-in.ts'
import type { ConvertKind } from '../webhooks/shown-kind.ts'
import type { PolicyPace } from './policy-pace.ts'

/** For one binding: the policy is evaluated with each. */
const mostParams = 100
/** Of all params of one binding as they are stored: each request reads them. */
const mostParamBytes = 8 * 1024 * 1024

/** The prefix of problems with a policy, regardless of its bindings. */
export const unknownParams = 'failed to configure policy:'

export interface ParamsParts {
  readonly engine: Engine
  /** Other kinds under which the same objects are served. */
  readonly equivalents: (kind: Kind) => readonly Kind[]
  readonly convert: ConvertKind
}

/** Reads a param, in the version that the policy names. Not before it is needed: a hundred of them may be large. */
export type ShowParam = () => KubeObject | Promise<KubeObject>

/** The params of a policy, or a description of the problem. */
export async function policyParams(
  paramKind: ParamKind,
  paramRef: ParamRef,
  requestNamespace: string,
  parts: ParamsParts,
  pace: PolicyPace,
): Promise<readonly ShowParam[] | string> {
  const served = servedParamKind(paramKind, parts)
  if (served === undefined) {
    return `${unknownParams} failed to find resource referenced by paramKind: '${paramKind.apiVersion}, Kind=${paramKind.kind}'`
  }
  const { context, kind } = served
  const namespace = kind.namespaced ? (paramRef.namespace ?? requestNamespace) : ''
  const found = await selectedParams(context, paramRef, namespace, pace)
  if (found.length > mostParams) return `more than ${mostParams} params are selected`
  if (found.length === 0 && paramRef.parameterNotFoundAction !== 'Allow') {
    return 'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction'
  }
  if (bytesOf(found) > mostParamBytes) return `the params that are selected take more than ${mostParamBytes} bytes`
  return found.map((document) => () => {
    const { object } = document
    return kind === context.kind ? object : parts.convert(object, context.kind, kind)
  })
}

function bytesOf(documents: readonly StoredDocument[]): number {
  return documents.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** The kind in the named version, and the context of its objects. Undefined: it is not served. */
function servedParamKind(
  { apiVersion = '', kind: name = '' }: ParamKind,
  { engine, equivalents }: Pick<ParamsParts, 'engine' | 'equivalents'>,
): { readonly context: ResourceContext; readonly kind: Kind } | undefined {
  const { group, version } = parseApiVersion(apiVersion)
  const context = engine.find(group, name)
  if (context === undefined) return undefined
  const kind = [context.kind, ...equivalents(context.kind)].find(
    (each) => each.group === group && each.version === version && each.kind === name,
  )
  return kind && { context, kind }
}

/** From one state: what others write in the meantime hides no param. Returns at most one more than allowed. */
async function selectedParams(
  context: ResourceContext,
  { name, selector }: ParamRef,
  namespace: string,
  pace: PolicyPace,
): Promise<readonly StoredDocument[]> {
  if (name !== undefined) {
    const only = context.cache.get({ namespace, name })
    return only === undefined ? [] : [only]
  }
  const wanted = labelSelectorFrom(selector)
  const found: StoredDocument[] = []
  for (const document of snapshotOf(context, namespace)) {
    await pace.step()
    if (wanted.matches(document.labels ?? {})) found.push(document)
    if (found.length > mostParams) break
  }
  return found
}
