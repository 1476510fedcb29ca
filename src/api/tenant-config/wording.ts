import { visible } from '../../base/unseen.ts'
import type { ConfigPath } from './problem.ts'

const longest = 60

/** A user's text inside a message: short, on one line, and harmless to a terminal. */
export function shown(text: string): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text
  return `"${maskedKeys(visible(cut))}"`
}

/** An access key that a user wrote into the file must not end up in a log. */
export function maskedKeys(text: string): string {
  return text.replace(/\btpk_\w+/g, (key) => `tpk_${'*'.repeat(key.length - 4)}`)
}

const plainName = /^[A-Za-z0-9_-]+$/

/** `sync.toHost.customResources["a.b"].patches[0]`. */
export function printConfigPath(path: ConfigPath): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (!plainName.test(step)) text += `[${shown(step)}]`
    else text += text === '' ? step : `.${step}`
  }
  return text
}

/** For sentences: the document itself has no path. */
export function placeName(path: ConfigPath): string {
  return path.length === 0 ? 'the document' : printConfigPath(path)
}

/** `a, b or c`. */
export function either(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
