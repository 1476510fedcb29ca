import { copyFileSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

const isKey = (name: string) => /^key-\d+$/.test(name)

/** Copies the missing keys. Other runs may do the same at the same time, so each key is copied atomically. */
export function copyKeys(from: string, to: string): void {
  for (const folder of [from, to]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const there = new Set(readdirSync(to))
  for (const name of readdirSync(from).filter((each) => isKey(each) && !there.has(each))) {
    const draft = join(to, `draft-${process.pid}-${name}`)
    copyFileSync(join(from, name), draft)
    renameSync(draft, join(to, name))
  }
}
