import { UsageError } from '../../base/usage-error.ts'
import type { EncryptionKeys, WrappingKey } from './contract.ts'
import { dataKeyBytes, decryptBytes, encryptBytes } from './encrypted-value.ts'

const mostKeys = 100
/** In place of a key: values are not encrypted. */
const plainWord = 'identity'
const namePattern = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/
const wrapContext = 'tenant data key'

/** Opens a KMS plugin that a line of the file names. */
export type OpenKms = (name: string, address: string) => WrappingKey

/**
 * One key per line: its name and 32 bytes in base64, or the address of a KMS plugin. The first key encrypts, all of
 * them decrypt. The word `identity` stands for values that are not encrypted. Error messages never show a key.
 */
export function readEncryptionKeys(text: string, source: string, openKms: OpenKms): EncryptionKeys {
  const lines = text.split('\n').map((line, index) => ({ words: wordsOf(line), at: `${source}, line ${index + 1}` }))
  const given = lines.filter(({ words }) => words.length > 0)
  const keys = given.filter(({ words }) => !isPlain(words)).map(({ words, at }) => keyOf(words, at, openKms))
  if (keys.length === 0) throw new UsageError(`${source} holds no key: write a name and 32 bytes in base64 on one line`)
  if (keys.length > mostKeys)
    throw new UsageError(`${source} holds more than ${mostKeys} keys: remove those not in use`)
  const twice = keys.find(({ name }, index) => keys.findIndex((other) => other.name === name) < index)
  if (twice !== undefined) throw new UsageError(`${source} has two keys named ${twice.name}: give one another name`)
  const [writing] = keys
  const beginsPlain = isPlain(given[0]?.words ?? [])
  const allowsPlain = given.some(({ words }) => isPlain(words))
  const reads = { source, reading: keys, allowsPlain }
  return beginsPlain || writing === undefined ? reads : { ...reads, writing }
}

/** The line for a new key, as written at installation. */
export function printKeyLine(name: string, key: Uint8Array): string {
  return `${name} ${Buffer.from(key).toString('base64')}\n`
}

function wordsOf(line: string): readonly string[] {
  return line
    .replace(/(^|\s)#.*/, '')
    .split(/\s+/)
    .filter((word) => word !== '')
}

function isPlain(words: readonly string[]): boolean {
  return words.length === 1 && words[0] === plainWord
}

function keyOf([name = '', value = '', ...rest]: readonly string[], at: string, openKms: OpenKms): WrappingKey {
  if (rest.length > 0 || value === '') throw new UsageError(`${at}: write a name and a key, separated by a space`)
  if (!namePattern.test(name) || name === plainWord) {
    throw new UsageError(`${at}: the name of a key has up to 63 lowercase letters, digits, dots and dashes`)
  }
  if (value.startsWith('unix:')) return openKms(name, value)
  const key = Buffer.from(value, 'base64')
  if (key.length !== dataKeyBytes || key.toString('base64') !== value) {
    throw new UsageError(
      `${at}: the key ${name} is not ${dataKeyBytes} bytes in base64; make one with openssl rand -base64 32, or name a KMS plugin by its socket, unix:///PATH`,
    )
  }
  return fileKey(name, key)
}

function fileKey(name: string, key: Buffer): WrappingKey {
  const context = Buffer.from(`${wrapContext} ${name}`)
  return {
    name,
    wrap: (dataKey) => ({ wrapped: encryptBytes(key, dataKey, context) }),
    unwrap: (wrapped) => decryptBytes(key, wrapped, context),
  }
}
