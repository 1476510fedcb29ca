import type { KeyLookup, KeySource, ReadSecret } from './contract.ts'
import { readKeyEntries } from './entries.ts'
import { readLicenseVariable } from './license-variable.ts'
import type { KeyPlaces } from './places.ts'
import { howToAllow, printSource } from './wording.ts'

export interface LookupSetting {
  /** The environment variable LICENSE. */
  readonly license: string | undefined
  readonly places: KeyPlaces
  readonly readSecret: ReadSecret
}

/** The environment, the configured Secret, the default Secret: the first that exists counts, even if it is invalid. */
export async function lookUpKey(setting: LookupSetting, signal?: AbortSignal): Promise<KeyLookup> {
  const environment: KeySource = { type: 'environment' }
  const fromEnvironment = readLicenseVariable(setting.license)
  if (fromEnvironment?.ok) return { state: 'found', key: fromEnvironment.key }
  if (fromEnvironment !== undefined) return wrong(environment, fromEnvironment.message)
  const { expectation, secrets } = setting.places
  for (const place of secrets) {
    const source: KeySource = { type: 'secret', ...place }
    const reading = await setting.readSecret(place, signal)
    if (reading.state === 'forbidden') return { state: 'forbidden', source, message: howToAllow(place) }
    if (reading.state === 'absent') continue
    const read = readKeyEntries(source, reading.entries)
    return read.ok ? { state: 'found', key: read.key } : wrong(source, read.message)
  }
  const looked = secrets.map((place): KeySource => ({ type: 'secret', ...place }))
  return { state: 'absent', expectation, looked: [environment, ...looked] }
}

function wrong(source: KeySource, problem: string): KeyLookup {
  return { state: 'wrong', source, message: `${printSource(source)} ${problem}` }
}
