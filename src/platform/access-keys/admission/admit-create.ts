import { invalid } from '../../../api/error.ts'
import type { FieldError } from '../../../api/field-error.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { AccessKeySpec, ManagedSecret } from '../../../api/types/management.ts'
import type { KeyOwner } from '../../../auth/keys/contract.ts'
import { broughtKey, type KeyValue, mintKey } from '../../../auth/keys/values/key-value.ts'
import { deprecations } from '../../../auth/scope/deprecations.ts'
import { validateScope } from '../../../auth/scope/validate.ts'
import type { Admitted } from '../../../registry/context.ts'
import type { WriteRequest } from '../../../registry/contract.ts'
import { owningCallerOf } from '../../owners/caller.ts'
import { isPlatform } from '../../platform-user.ts'
import {
  actingFor,
  asGroups,
  gainedMemberships,
  requireAll,
  requireLastingKey,
  requireNoGainByScope,
  requireWithinScope,
} from '../../rights.ts'
import { livingStatus } from '../life/status.ts'
import type { KeyParts } from '../parts.ts'
import { isSameOwner, ownerFieldsOf, ownerOf, specOf } from '../record/access-key.ts'
import { withoutLogin } from '../record/folded-login.ts'
import { recordOf } from '../record/key-record.ts'
import { type SealedKey, sealedForm } from '../record/sealed-key.ts'
import { addedSecrets, admittedSecrets, requireNoneByScope, withSecrets } from './admitted-secrets.ts'
import { platformFieldErrors, splitHidden, withPlatformFields } from './hidden-parts.ts'
import { withoutValue } from './hide-value.ts'
import { missingOwnerErrors, ownerErrors, typeErrors, valueErrors } from './key-errors.ts'
import { requireNoLongerLife } from './outliving.ts'
import { revealing } from './reveal.ts'
import { warnOfUnknownTargets } from './unknown-targets.ts'
import { warnOfCap } from './warnings.ts'

/** Decides who owns a new key and whether the caller may make it, and mints its value, which only this answer shows. */
export async function admitNewKey(object: KubeObject, request: WriteRequest, parts: KeyParts): Promise<Admitted> {
  const sent = specOf(object)
  refuse(parts, object, ownerErrors(sent))
  const owner = ownerOf(sent) ?? owningCallerOf(request.user, parts.directory, parts.index).self
  const told = withPlatformFields({ ...sent, ...ownerFieldsOf(owner), type: sent.type || 'User' }, {})
  const spec = isPlatform(request.user) ? withoutLogin(told) : told
  const key = { spec, owner }
  if (!isPlatform(request.user)) await requireRights(object, key, request, parts)
  refuse(parts, object, errorsOf(object, key, request, parts))
  for (const text of deprecations(spec.scope ?? {})) request.warn(text)
  if (!isPlatform(request.user)) await warnOfUnknownTargets(spec.scope ?? {}, request, parts)
  const added = addedSecrets(spec, {}, false)
  const secrets = await admittedSecrets({ name: object.metadata.name ?? '', spec, status: {}, added }, request, parts)
  return made(object, { ...key, secrets }, request, parts)
}

/** A requested key, with everything that was left out filled in. */
interface NewKey {
  readonly spec: AccessKeySpec
  readonly owner: KeyOwner
}

function refuse({ kind }: KeyParts, { metadata }: KubeObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(kind, metadata.name ?? '', errors)
}

async function requireRights(
  { metadata }: KubeObject,
  { spec, owner }: NewKey,
  request: WriteRequest,
  { kind, directory, index, environment }: KeyParts,
): Promise<void> {
  const { user } = request
  requireLastingKey(kind, metadata.name ?? '', user, index)
  requireWithinScope(kind, metadata.name ?? '', user, spec.scope, environment)
  const isOwn = owner.kind !== 'subject' && isSameOwner(owner, owningCallerOf(user, directory, index).self)
  requireNoGainByScope(kind, metadata.name ?? '', user, !isOwn || (spec.groups ?? []).length > 0)
  requireNoneByScope(metadata.name ?? '', (spec.managedSecrets ?? []).length, request, { kind })
  const ownerRights = isOwn
    ? gainedMemberships(user, owner, directory, environment.managementGroup)
    : actingFor(user, owner, directory, environment.managementGroup)
  await requireAll(request, [...ownerRights, ...asGroups(user, spec.groups ?? [])])
}

function errorsOf(
  { metadata }: KubeObject,
  { spec, owner }: NewKey,
  { user }: WriteRequest,
  { directory, index }: KeyParts,
): readonly FieldError[] {
  return [
    ...missingOwnerErrors(owner, directory),
    ...(isPlatform(user) ? [] : [...typeErrors(spec.type ?? ''), ...platformFieldErrors(spec, {})]),
    ...validateScope(spec.scope ?? {}),
    ...((spec.key ?? '') === '' ? [] : valueErrors(spec.key ?? '', metadata.uid ?? '', index)),
  ]
}

/** A dry run shows the key that would be made, without a value. */
function made(
  object: KubeObject,
  { spec, owner, secrets }: NewKey & { readonly secrets: readonly ManagedSecret[] },
  request: WriteRequest,
  parts: KeyParts,
): Admitted {
  const { clock, random, directory, settings } = parts
  const nowMs = clock.now()
  const { shown, hidden } = splitHidden(spec, undefined)
  const ownerUid = directory.uidOf(owner)
  const bare = withoutValue({ ...object, spec: shown }, spec.key ?? '')
  const value = valueFor(spec, request, random)
  const sealed: SealedKey = {
    hash: value?.hash ?? '',
    issuedAtMs: nowMs,
    ...(ownerUid === undefined ? {} : { ownerUid }),
    ...hidden,
  }
  const status = withSecrets(value === undefined ? {} : { keyId: value.keyId }, secrets)
  const record = recordOf({ ...bare, status }, sealed)
  if (record === undefined) throw new Error('An access key was admitted without an owner.')
  requireNoLongerLife(record, undefined, request, parts)
  warnOfCap(request, spec, settings)
  const admitted = { ...bare, status: livingStatus(status, record, settings, nowMs) }
  if (value === undefined) return { object: admitted }
  return { object: admitted, sealed: sealedForm(sealed), reveal: revealing(value.value) }
}

function valueFor(spec: AccessKeySpec, request: WriteRequest, random: KeyParts['random']): KeyValue | undefined {
  if (request.dryRun) return undefined
  return (spec.key ?? '') === '' ? mintKey(random) : broughtKey(spec.key ?? '')
}
