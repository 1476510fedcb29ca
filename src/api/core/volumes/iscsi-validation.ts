import { allErrors, type FieldError, invalidField, requiredField } from '../../field-error.ts'
import type { ISCSIPersistentVolumeSource, ISCSIVolumeSource } from '../../types/core-v1.ts'
import { utf8Length } from '../../utf8-length.ts'
import { checkWithin } from './ranges.ts'

const eui = /^eui.[A-Za-z0-9]{16}$/
const naa = /^naa.[A-Za-z0-9]{32}$/
const notInNames = /[,;*&$|\t\n\f\r ]/
const authority = /iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+/g

const longestPortal = 64
const tooLong =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'

export function checkIscsi(field: string, source: ISCSIVolumeSource): readonly FieldError[] {
  return allErrors(
    missingPortal(field, source),
    checkTarget(field, source, 'must be valid format starting with iqn, eui, or naa'),
    missingSecret(field, source),
    checkInitiator(field, source, 'must be valid format starting with iqn, eui, or naa'),
  )
}

/** `name` is that of the volume: together with a portal it must fit into one name. */
export function checkPersistentIscsi(
  field: string,
  source: ISCSIPersistentVolumeSource,
  name: string,
): readonly FieldError[] {
  const { secretRef, targetPortal } = source
  return allErrors(
    missingPortal(field, source),
    isPortalTooLong(source, name) ? [invalidField(`${field}.targetportal`, targetPortal, tooLong)] : [],
    checkTarget(field, source, 'must be valid format'),
    missingSecret(field, source),
    secretRef !== undefined && (secretRef.name ?? '') === '' ? [requiredField(`${field}.secretRef.name`)] : [],
    checkInitiator(field, source, 'must be valid format'),
  )
}

/** Reported for the volume, not for its source. */
export function checkPortalLength(
  field: string,
  source: ISCSIVolumeSource | undefined,
  name: string,
): readonly FieldError[] {
  return source !== undefined && isPortalTooLong(source, name) ? [invalidField(`${field}.name`, name, tooLong)] : []
}

function isPortalTooLong({ initiatorName, targetPortal }: Pick<ISCSIVolumeSource, keyof Portal>, name: string) {
  return initiatorName !== undefined && utf8Length(`${name}:${targetPortal}`) > longestPortal
}

type Portal = Pick<ISCSIVolumeSource, 'initiatorName' | 'targetPortal'>
type Common = Omit<ISCSIVolumeSource, 'secretRef'>

function missingPortal(field: string, { targetPortal }: Portal): readonly FieldError[] {
  return targetPortal === '' ? [requiredField(`${field}.targetPortal`)] : []
}

function checkTarget(field: string, { iqn, lun }: Common, unknownPrefix: string): readonly FieldError[] {
  return allErrors(
    iqn === '' ? [requiredField(`${field}.iqn`)] : checkName(`${field}.iqn`, iqn, unknownPrefix),
    checkWithin(`${field}.lun`, lun, 0, 255),
  )
}

function missingSecret(
  field: string,
  source: Common & { readonly secretRef?: ISCSIPersistentVolumeSource['secretRef'] },
): readonly FieldError[] {
  const isNeeded = source.chapAuthDiscovery === true || source.chapAuthSession === true
  return isNeeded && source.secretRef === undefined ? [requiredField(`${field}.secretRef`)] : []
}

function checkInitiator(field: string, { initiatorName }: Common, unknownPrefix: string): readonly FieldError[] {
  return initiatorName === undefined ? [] : checkName(`${field}.initiatorname`, initiatorName, unknownPrefix)
}

function checkName(field: string, name: string, unknownPrefix: string): readonly FieldError[] {
  const isWell = formOf(name)
  if (isWell === true) return []
  return [invalidField(field, name, isWell === undefined ? unknownPrefix : 'must be valid format')]
}

/** Whether a name is well-formed; undefined if its type is unknown. */
function formOf(name: string): boolean | undefined {
  if (name.startsWith('iqn')) return isQualified(name)
  if (name.startsWith('eui')) return eui.test(name)
  return name.startsWith('naa') ? naa.test(name) : undefined
}

/** A naming authority, a colon, and then only characters that names may contain. Each character is visited once. */
function isQualified(name: string): boolean {
  const tail = name.slice(lastForbidden(name) + 1)
  for (const { 0: found, index } of tail.matchAll(authority)) {
    const end = index + found.length
    if (tail[end] === ':' && end + 1 < tail.length) return true
  }
  return false
}

function lastForbidden(name: string): number {
  let at = name.length - 1
  while (at >= 0 && !notInNames.test(name[at] ?? '')) at--
  return at
}
