import crypto, { createPrivateKey, createPublicKey } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { settingsIn } from '../canary/start-watching.ts'
import { type KeyPool, keyPool } from './key-pool.ts'

const alreadyReused = Symbol.for('tenant.rsa-keys.reused')
const plainRsa = { modulusLength: 2048 }

/**
 * Makes this process use the RSA keys of the run. Finding the primes of one takes half a second of processor time, and
 * hundreds of servers each need one.
 */
export function reuseRsaKeys(): void {
  const settings = settingsIn(process.env)
  if (settings === undefined || Reflect.has(globalThis, alreadyReused)) return
  Reflect.set(globalThis, alreadyReused, true)
  const pool = keyPool(join(dirname(settings.TENANT_CANARY_FOLDER), 'rsa-keys'))
  const original = crypto.generateKeyPair
  const generate = promisify(original)
  const value = (...args: readonly unknown[]): unknown => Reflect.apply(original, crypto, args)
  Reflect.set(value, promisify.custom, (...args: readonly unknown[]) =>
    isPlainRsa(args) ? takeFrom(pool, generate) : Reflect.apply(generate, crypto, args),
  )
  Object.defineProperty(crypto, 'generateKeyPair', { value, writable: true, configurable: true, enumerable: true })
  syncBuiltinESMExports()
}

function isPlainRsa([type, options]: readonly unknown[]): boolean {
  return type === 'rsa' && JSON.stringify(options) === JSON.stringify(plainRsa)
}

async function takeFrom(pool: KeyPool, generate: typeof crypto.generateKeyPair.__promisify__) {
  const pem = await pool.next(async () => {
    const { privateKey } = await generate('rsa', plainRsa)
    return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  })
  return { privateKey: createPrivateKey(pem), publicKey: createPublicKey(pem) }
}
