import {
  allErrors,
  duplicateField,
  errorsOfEach,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
} from '../../field-error.ts'
import type { Volume } from '../../types/core-v1.ts'
import { checkLabelName } from '../field-checks.ts'
import { checkPortalLength } from './iscsi-validation.ts'
import { checkClaimName, podSources, type SourceRule } from './pod-sources.ts'

export interface JudgedVolumes {
  readonly errors: readonly FieldError[]
  /** Volumes that containers can use, by name. */
  readonly usable: ReadonlyMap<string, Volume>
}

/** `pod` is the name of the Pod, if there is one: templates have none. */
export function validateVolumes(list: string, volumes: readonly Volume[], pod = ''): JudgedVolumes {
  const made = madeClaims(volumes, pod)
  const usable = new Map<string, Volume>()
  const errors = errorsOfEach(volumes, (volume, index) => {
    const field = `${list}[${index}]`
    const { name, persistentVolumeClaim } = volume
    const found = [
      ...validateSource(field, volume, pod),
      ...(name === '' ? [requiredField(`${field}.name`)] : checkLabelName(`${field}.name`, name)),
      ...(usable.has(name) ? [duplicateField(`${field}.name`, name)] : []),
    ]
    if (found.length === 0) usable.set(name, volume)
    const claim = persistentVolumeClaim?.claimName
    if (claim === undefined || !made.has(claim)) return found
    const problem = 'must not reference a PVC that gets created for an ephemeral volume'
    return [...found, invalidField(`${field}.persistentVolumeClaim.claimName`, claim, problem)]
  })
  return { errors, usable }
}

function madeClaims(volumes: readonly Volume[], pod: string): ReadonlySet<string> {
  const ephemeral = pod === '' ? [] : volumes.filter((volume) => volume.ephemeral !== undefined)
  return new Set(ephemeral.map(({ name }) => `${pod}-${name}`))
}

/** A volume has one type; the first one given counts. */
function validateSource(field: string, volume: Volume, pod: string): readonly FieldError[] {
  const given = podSources.filter(({ name }) => volume[name] !== undefined)
  const [first] = given
  if (first === undefined) return [requiredField(field, 'must specify a volume type')]
  return errorsOfEach(given, (rule) =>
    allErrors(
      rule === first
        ? rule.check(`${field}.${rule.told ?? rule.name}`, volume)
        : [forbiddenField(`${field}.${refusedAs(rule)}`, 'may not specify more than 1 volume type')],
      rule.name === 'iscsi' ? checkPortalLength(field, volume.iscsi, volume.name) : [],
      rule === first && rule.name === 'ephemeral' && pod !== '' && volume.name !== ''
        ? checkClaimName(field, pod, volume.name)
        : [],
    ),
  )
}

function refusedAs({ name, refused }: SourceRule): string {
  return refused ?? name
}
