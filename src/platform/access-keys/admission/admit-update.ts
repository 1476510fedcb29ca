import { invalid } from '../../../api/error.ts'
import type { FieldError } from '../../../api/field-error.ts'
import type { JsonObject, KubeObject } from '../../../api/object.ts'
import type { ManagedSecret } from '../../../api/types/management.ts'
import { broughtKey, hashKey, type KeyValue } from '../../../auth/keys/values/key-value.ts'
import { deprecations } from '../../../auth/scope/deprecations.ts'
import { validateScope } from '../../../auth/scope/validate.ts'
import { deepEqual } from '../../../base/equal.ts'
import type { Admitted } from '../../../registry/context.ts'
import type { WriteRequest } from '../../../registry/contract.ts'
import { isPlatform } from '../../platform-user.ts'
import { livingStatus } from '../life/status.ts'
import type { KeyParts } from '../parts.ts'
import { accessKeyOf, isSameOwner, namedOwners, ownerFieldsOf, ownerOf, specOf } from '../record/access-key.ts'
import { foldedLogin } from '../record/folded-login.ts'
import { recordOf } from '../record/key-record.ts'
import { readSealed, type SealedKey, sealedForm } from '../record/sealed-key.ts'
import { addedSecrets, admittedSecrets, withSecrets } from './admitted-secrets.ts'
import { requireChangeRights } from './change-rights.ts'
import { platformFieldErrors, splitHidden, withPlatformFields } from './hidden-parts.ts'
import { withoutValue } from './hide-value.ts'
import type { KeyChange } from './key-change.ts'
import { missingOwnerErrors, ownerErrors, sessionChangeErrors, typeErrors, valueErrors } from './key-errors.ts'
import { requireNoLongerLife } from './outliving.ts'
import { revealing } from './reveal.ts'
import { warnOfUnknownTargets } from './unknown-targets.ts'
import { warnOfCap } from './warnings.ts'

interface Stored {
  readonly object: KubeObject
  readonly sealed: JsonObject | undefined
}

/** Only the platform writes the status; a write by any other caller leaves it unchanged. */
export async function admitKeyChange(
  object: KubeObject,
  stored: Stored,
  request: WriteRequest,
  parts: KeyParts,
): Promise<Admitted> {
  if (request.subresource === 'status') return { object: isPlatform(request.user) ? object : stored.object }
  const before = readSealed(stored.sealed)
  const change = changeOf(object, stored.object, before)
  refuse(parts, object, ownerErrors(change.spec))
  if (!isPlatform(request.user)) await requireChangeRights(change, request, parts)
  refuse(parts, object, errorsOf(object, change, request, parts))
  if (before?.session !== undefined || change.old.type === 'Login') refuse(parts, object, sessionChangeErrors(change))
  if (!deepEqual(change.spec.scope, change.old.scope)) {
    for (const text of deprecations(change.spec.scope ?? {})) request.warn(text)
    if (!isPlatform(request.user)) await warnOfUnknownTargets(change.spec.scope ?? {}, request, parts)
  }
  if (change.spec.ttl !== change.old.ttl) warnOfCap(request, change.spec, parts.settings)
  const status = accessKeyOf(stored.object).status ?? {}
  const { name, spec, addedSecrets: added } = change
  const secrets = await admittedSecrets({ name, spec, status, added }, request, parts)
  return changed(object, { ...change, secrets, oldObject: stored.object, before }, request, parts)
}

function refuse({ kind }: KeyParts, { metadata }: KubeObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(kind, metadata.name ?? '', errors)
}

/** Hidden fields, and fields that the platform filled in, keep their values when a client leaves them out. */
function changeOf(object: KubeObject, oldObject: KubeObject, before: SealedKey | undefined): KeyChange {
  const [sent, old] = [specOf(object), foldedLogin(specOf(oldObject), before?.oidcTokens)]
  const oldOwner = ownerOf(old)
  const owned = namedOwners(sent).length > 0 || oldOwner === undefined ? sent : { ...sent, ...ownerFieldsOf(oldOwner) }
  const spec = withPlatformFields({ ...owned, type: sent.type || old.type || 'User' }, old)
  const key = sent.key ?? ''
  const value = key === '' || hashKey(key) === before?.hash ? undefined : broughtKey(key)
  const owner = ownerOf(spec)
  const added = addedSecrets(spec, accessKeyOf(oldObject).status ?? {}, !isSameOwner(owner, oldOwner))
  return { name: object.metadata.name ?? '', old, oldOwner, spec, owner, value, addedSecrets: added }
}

function errorsOf(
  { metadata }: KubeObject,
  { old, oldOwner, spec, owner, value }: KeyChange,
  { user }: WriteRequest,
  { directory, index }: KeyParts,
): readonly FieldError[] {
  const isOthers = !isPlatform(user)
  return [
    ...(owner === undefined || isSameOwner(owner, oldOwner) ? [] : missingOwnerErrors(owner, directory)),
    ...(isOthers && spec.type !== (old.type ?? '') ? typeErrors(spec.type ?? '') : []),
    ...(isOthers ? platformFieldErrors(spec, old) : []),
    ...(deepEqual(spec.scope, old.scope) ? [] : validateScope(spec.scope ?? {})),
    ...(value === undefined ? [] : valueErrors(value.value, metadata.uid ?? '', index)),
  ]
}

interface AdmittedChange extends KeyChange {
  readonly secrets: readonly ManagedSecret[]
  readonly oldObject: KubeObject
  readonly before: SealedKey | undefined
}

function changed(
  object: KubeObject,
  { spec, old, owner, oldOwner, value, secrets, oldObject, before }: AdmittedChange,
  request: WriteRequest,
  parts: KeyParts,
): Admitted {
  const { clock, directory, settings } = parts
  const nowMs = clock.now()
  const { shown, hidden } = splitHidden(spec, before)
  const bare = withoutValue({ ...object, spec: shown }, spec.key ?? '')
  const ownerUid = isSameOwner(owner, oldOwner) || owner === undefined ? before?.ownerUid : directory.uidOf(owner)
  const sealed: SealedKey = {
    ...kept(before, value, nowMs),
    ...(ownerUid === undefined ? {} : { ownerUid }),
    ...hidden,
  }
  const { rotation, ...status } = withSecrets(accessKeyOf(oldObject).status ?? {}, secrets)
  const keyId = value?.keyId ?? status.keyId ?? ''
  const known = { ...status, keyId, ...(value === undefined && rotation !== undefined ? { rotation } : {}) }
  const record = recordOf({ ...bare, status: known }, sealed)
  if (record !== undefined) requireNoLongerLife(record, before && recordOf(oldObject, before), request, parts)
  const life = livingStatus(known, record, settings, nowMs)
  const isAsBefore = value === undefined && deepEqual(specOf(bare), old)
  return {
    object: { ...(isAsBefore ? withGenerationOf(bare, oldObject) : bare), status: life },
    sealed: sealedForm(sealed),
    ...(value === undefined ? {} : { reveal: revealing(value.value) }),
  }
}

/**
 * A new value ends the previous value and any rotation under way. Without one, only the fields decided anew are
 * dropped.
 */
function kept(before: SealedKey | undefined, value: KeyValue | undefined, nowMs: number): SealedKey {
  if (value !== undefined) return { hash: value.hash, issuedAtMs: nowMs }
  const { ownerUid: _, connectorData: __, oidcTokens: ___, ...rest } = before ?? { hash: '', issuedAtMs: nowMs }
  return rest
}

/** Sending the current value again does not change the desired state, so the generation stays. */
function withGenerationOf(object: KubeObject, { metadata: { generation } }: KubeObject): KubeObject {
  if (generation === undefined) return object
  return { ...object, metadata: { ...object.metadata, generation } }
}
