import { checkLicense, unverifiedLicense } from '../../auth/license/check.ts'
import type { License, LicenseCheck } from '../../auth/license/contract.ts'
import { systemClock, timestamp } from '../../base/clock.ts'
import { jsonText } from '../../base/json/json-text.ts'
import { readEd25519PublicKey } from '../../base/keys/ed25519.ts'
import { print } from '../output/print.ts'
import { textTable } from '../output/text-table.ts'
import { readInputText } from '../terminal/read-text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { ShowLicenseOptions } from './options.ts'
import { readIssuer } from './read-issuer.ts'

type Shown = { readonly state: LicenseCheck['state'] | 'not-checked'; readonly license: License }

export async function showLicense(file: string, flags: ShowLicenseOptions, terminal: Terminal): Promise<void> {
  const { text, name } = await readInputText(file, terminal)
  const { licenseIssuer: issuer } = flags
  const shown =
    issuer === undefined ? unchecked(text, name) : await checked(text, name, await readIssuer(issuer, terminal))
  print(terminal, flags.output === 'json' ? printJson(shown) : textTable(rowsOf(shown)))
  if (shown.state !== 'valid' && shown.state !== 'not-checked') throw new Error(`${name} is ${stateWords[shown.state]}`)
}

function unchecked(text: string, name: string): Shown {
  const license = unverifiedLicense(text)
  if (license === undefined) throw new Error(`${name} is not a license`)
  return { state: 'not-checked', license }
}

async function checked(text: string, name: string, issuer: string): Promise<Shown> {
  const check = await checkLicense(text, readEd25519PublicKey(issuer), systemClock.now())
  if ('license' in check) return check
  throw new Error(`${name} is not valid: ${check.message}`)
}

const stateWords: Readonly<Record<Shown['state'], string>> = {
  valid: 'valid',
  expired: 'expired',
  'not-yet-valid': 'not valid yet; is the clock right?',
  unreadable: 'unreadable',
  untrusted: 'not trusted',
  'not-checked': 'not checked: give the key of its issuer with --license-issuer',
}

function rowsOf({ state, license }: Shown): readonly (readonly string[])[] {
  const { id, issuedTo, features, limits, issuedAtMs, expiresAtMs } = license
  return [
    ['State', stateWords[state]],
    ['Issued to', issuedTo],
    ['Id', id],
    ['Features', features.join(', ')],
    ['Virtual clusters', limits.virtualClusters === undefined ? 'no limit' : String(limits.virtualClusters)],
    ['Issued', timestamp(issuedAtMs)],
    ['Expires', expiresAtMs === undefined ? 'never' : timestamp(expiresAtMs)],
  ]
}

function printJson({ state, license }: Shown): string {
  const { issuedAtMs, expiresAtMs, ...rest } = license
  const times = {
    issuedAt: timestamp(issuedAtMs),
    ...(expiresAtMs !== undefined && { expiresAt: timestamp(expiresAtMs) }),
  }
  return jsonText({ state, ...rest, ...times })
}
