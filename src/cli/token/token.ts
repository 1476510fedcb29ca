import { systemClock } from '../../base/clock.ts'
import { fileText } from '../connect/kubeconfig-file.ts'
import type { KnownPlatform } from '../credentials/contract.ts'
import { withLock } from '../credentials/lock.ts'
import { writePrivateFile } from '../credentials/private-file.ts'
import { print } from '../output/print.ts'
import { knownPlatform } from '../platform/known-platform.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { execCredential, type PrintedKey, versionAsked } from './exec-credential.ts'
import { failureSince, noteFailure } from './failed-try.ts'
import { givenTo, isStillGood, isUsableBy, type KeptKey, printKeptKey, readKeptKey, renewalMs } from './kept-key.ts'
import { keyFile } from './key-file.ts'
import type { TokenOptions } from './options.ts'

export async function token(options: TokenOptions, terminal: Terminal): Promise<void> {
  const startedMs = systemClock.now()
  const version = versionAsked(terminal.env)
  const { platform } = await knownPlatform(options.platform, terminal)
  const file = await keyFile(platform, options, terminal)
  // Of several processes that start at once, one asks the platform, and the others find its key.
  const key = await withLock(`${file}.lock`, () => keyFor({ file, platform, options, startedMs }, terminal))
  print(terminal, execCredential(version, key))
}

interface Wish {
  readonly file: string
  readonly platform: KnownPlatform
  readonly options: TokenOptions
  readonly startedMs: number
}

async function keyFor(wish: Wish, terminal: Terminal): Promise<PrintedKey> {
  const { file, platform, options } = wish
  const kept = readKeptKey((await fileText(file)) ?? '')
  const { caller } = options
  if (kept !== undefined && isUsableBy(kept, caller, systemClock.now())) return handOut(file, kept, caller)
  const renewed = await renew(wish, terminal).catch((error: unknown) => {
    if (kept !== undefined && isStillGood(kept, caller, systemClock.now())) return kept
    throw error
  })
  // A login that makes no such keys, such as that of the first administrator, is used directly, and not stored
  // elsewhere.
  return renewed === undefined ? { value: platform.accessKey } : handOut(file, renewed, caller)
}

/**
 * If the platform does not answer, only one of the waiting processes asks it: otherwise they would wait one after the
 * other.
 */
async function renew({ file, platform, options, startedMs }: Wish, terminal: Terminal): Promise<KeptKey | undefined> {
  const failed = await failureSince(file, startedMs)
  if (failed !== undefined) throw failed
  try {
    return await askedKey(platform, options, terminal)
  } catch (error) {
    await noteFailure(file, error, systemClock.now())
    throw error
  }
}

async function askedKey(
  platform: KnownPlatform,
  options: TokenOptions,
  terminal: Terminal,
): Promise<KeptKey | undefined> {
  const issuedMs = systemClock.now()
  const { askForKey } = await import('./ask-for-key.ts')
  const asked = await askForKey(platform, options, terminal)
  return asked && { value: asked.value, issuedMs, endMs: issuedMs + asked.leftSeconds * 1000, callers: [] }
}

async function handOut(file: string, key: KeptKey, caller: number): Promise<PrintedKey> {
  await writePrivateFile(file, printKeptKey(givenTo(key, caller)))
  const nearEndMs = renewalMs(key)
  return { value: key.value, askAgainMs: systemClock.now() < nearEndMs ? nearEndMs : key.endMs }
}
