import type { Kind } from '../../api/kind.ts'
import { type KubeObject, parseApiVersion } from '../../api/object.ts'
import { labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { ParamKind, ParamRef } from '../../api/types/admissionregistration-v1.ts'
import type { Engine, ResourceContext } from '../context.ts'
import type { ConvertKind } from '../webhooks/shown-kind.ts'
import type { PolicyPace } from './policy-pace.ts'

/** For one binding: the policy is evaluated with each. */
const mostParams = 100

/** The prefix of problems with a policy, regardless of its bindings. */
export const unknownParams = 'failed to configure policy:'

export interface ParamsParts {
  readonly engine: Engine
  /** Other kinds under which the same objects are served. */
  readonly equivalents: (kind: Kind) => readonly Kind[]
  readonly convert: ConvertKind
}

/** The params of a policy, in the version that it names, or a description of the problem. */
export async function policyParams(
  paramKind: ParamKind,
  paramRef: ParamRef,
  requestNamespace: string,
  parts: ParamsParts,
  pace: PolicyPace,
): Promise<readonly KubeObject[] | string> {
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
  if (kind === context.kind) return found
  const shown: KubeObject[] = []
  for (const object of found) {
    shown.push(await parts.convert(object, context.kind, kind))
    await pace.step()
  }
  return shown
}

/** The kind in the named version, and the context of its objects. Undefined: it is not served. */
export function servedParamKind(
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

/** Returns at most one more than allowed. */
async function selectedParams(
  { cache }: ResourceContext,
  { name, selector }: ParamRef,
  namespace: string,
  pace: PolicyPace,
): Promise<readonly KubeObject[]> {
  if (name !== undefined) {
    const only = cache.get({ namespace, name })?.object
    return only === undefined ? [] : [only]
  }
  const wanted = labelSelectorFrom(selector)
  const found: KubeObject[] = []
  for (const document of cache.current().values()) {
    await pace.step()
    const isThere = document.namespace === namespace
    if (isThere && wanted.matches(document.labels ?? {})) found.push(document.object)
    if (found.length > mostParams) break
  }
  return found
}
