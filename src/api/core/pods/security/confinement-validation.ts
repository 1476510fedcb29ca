import {
  allErrors,
  type FieldError,
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
} from '../../../field-error.ts'
import type { AppArmorProfile, SeccompProfile } from '../../../types/core-v1.ts'
import { utf8Length } from '../../../utf8-length.ts'
import { checkInnerPath } from '../../path-checks.ts'

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined']
/** For the name of an AppArmor profile. */
export const longestProfile = 4095

/** Which system calls are allowed. */
export function validateSeccomp(field: string, profile: SeccompProfile): readonly FieldError[] {
  const { type, localhostProfile } = profile
  const path = `${field}.localhostProfile`
  return allErrors(
    checkType(`${field}.type`, type, 'type is required when seccompProfile is set'),
    type === 'Localhost'
      ? localhostProfile === undefined
        ? [requiredField(path, 'must be set when seccomp type is Localhost')]
        : checkInnerPath(path, localhostProfile)
      : localhostProfile === undefined
        ? []
        : [invalidField(path, profile, 'can only be set when seccomp type is Localhost')],
  )
}

/** Which files and capabilities are allowed. */
export function validateAppArmor(field: string, { type, localhostProfile }: AppArmorProfile): readonly FieldError[] {
  const path = `${field}.localhostProfile`
  switch (type) {
    case 'Localhost':
      return localhostProfile === undefined ? [missingProfile(path)] : validateProfileName(path, localhostProfile)
    case 'RuntimeDefault':
    case 'Unconfined':
      return localhostProfile === undefined
        ? []
        : [invalidField(path, localhostProfile, 'can only be set when AppArmor type is Localhost')]
    default:
      return checkType(`${field}.type`, type, 'type is required when appArmorProfile is set')
  }
}

function checkType(field: string, type: string, whyNeeded: string): readonly FieldError[] {
  if (type === '') return [requiredField(field, whyNeeded)]
  return profileTypes.includes(type) ? [] : [notSupportedField(field, type, profileTypes)]
}

function validateProfileName(field: string, name: string): readonly FieldError[] {
  return allErrors(
    name.trim() !== name
      ? [invalidField(field, name, 'must not be padded with whitespace')]
      : name === ''
        ? [missingProfile(field)]
        : [],
    utf8Length(name) > longestProfile ? [tooLongField(field, longestProfile)] : [],
  )
}

function missingProfile(field: string): FieldError {
  return requiredField(field, 'must be set when AppArmor type is Localhost')
}
