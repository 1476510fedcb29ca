import { basename } from 'node:path'
import type { Sighting } from './key-values.ts'
import type { AnswerPlace, Asked, FilePlace, OutputPlace, Place } from './place.ts'

const created = /\/(ownedaccesskeys|accesskeys|connectionkeys)$/
const rotated = /\/ownedaccesskeys\/[^/]+\/rotate$/
/** The paths at which a command gets the key of a signed-in user, and a machine one for its token. */
const handedOut = ['/auth/token', '/auth/exchange']
const issued = /\/virtualclusterinstances\/[^/]+\/(register|reissue)$/
const secrets = /\/api\/v1\/(namespaces\/[^/]+\/)?secrets(\/[^/]+)?$/
const making = ['create', 'rotate']
/** The manifest that tests apply. */
const manifest = '/key.yaml'
/** The console offers a new key as a download. */
const downloads = /^playwright-artifacts-/
/** Files in which the command line, or a user, keeps a key, including the output of a server at its first start. */
const kept = ['/.tenant/config.json', '.key', '.key.draft', '/up.log', '/first.log']
/** Commands that create the key of the first administrator, and show it once. */
const makesFirst = ['up', 'serve', 'reset', 'install', 'prepare', 'upgrade']
const changed = /\/ownedaccesskeys\/[^/]+$/

/** Whether the value of a key may be there. */
export function isMeant(place: Place, sighting: Sighting): boolean {
  if (sighting.origin === 'refresh') return givesTokens(place) && sighting.encoding === 'plain'
  switch (place.at) {
    case 'answer':
      return isMeantInAnswer(place, sighting)
    case 'output':
      return isMeantInOutput(place, sighting)
    case 'file':
      return isMeantInFile(place, sighting)
    case 'compressed answer':
    case 'call over a link':
    case 'log':
      return false
  }
}

/** An application gets a refresh token in exchange for a code, or for the previous one. */
function givesTokens(place: Place): boolean {
  return place.at === 'answer' && place.method === 'POST' && place.path === '/oidc/token'
}

/** Whether it is an answer that may contain the value of a key. */
export function mayShow(place: Place): boolean {
  return place.at === 'answer' && (makesKey(place) || changesKey(place))
}

/** A value that the platform has minted is sent in one answer and never again. */
export function isForTheOnlyTime(place: Place, { origin }: Sighting): boolean {
  if (place.at !== 'answer') return false
  return origin === 'proof' ? issuesProof(place) : origin === 'minted' && makesKey(place)
}

/** A change shows a value only to the caller that provided it, and no caller provides one that the platform minted. */
function isMeantInAnswer(asked: AnswerPlace, { origin, encoding }: Sighting): boolean {
  if (encoding === 'base64') return secrets.test(asked.path)
  if (asked.isProtobuf === true && secrets.test(asked.path)) return true
  if (origin === 'proof') return issuesProof(asked)
  return makesKey(asked) || isTenantsOwn(asked) || (origin === 'brought' && changesKey(asked))
}

/** A tenant tells the platform the key with which it is linked from now on. */
function isTenantsOwn({ method, path }: Asked): boolean {
  return method === 'POST' && path === '/link/control'
}

function makesKey({ method, path }: Asked): boolean {
  return method === 'POST' && (created.test(path) || rotated.test(path) || handedOut.includes(path))
}

function issuesProof({ method, path }: Asked): boolean {
  return method === 'POST' && issued.test(path)
}

function isMeantInOutput({ command, stream }: OutputPlace, { origin, encoding }: Sighting): boolean {
  if (encoding === 'base64') return showsSecrets(command) || (origin === 'proof' && command.includes('reissue'))
  return origin !== 'proof' && (showsKeys(command) || (stream === 'stdout' && isOfPlatform(command)))
}

function changesKey({ method, path }: Asked): boolean {
  return (method === 'PUT' || method === 'PATCH') && changed.test(path)
}

/** Commands that create a key, one that prints a kubeconfig with it, and the plugin of kubectl. */
function showsKeys(command: readonly string[]): boolean {
  const makesOne = command.some((word, index) => word === 'keys' && making.includes(command[index + 1] ?? ''))
  const prints = command.includes('token') || (command.includes('--print') && command.includes('--static-key'))
  return makesOne || prints || (command[0] === 'kubectl' && command[1] === 'create')
}

function isOfPlatform(command: readonly string[]): boolean {
  const program = command.findIndex((word) => word === 'tenant' || basename(word) === 'main.js')
  return program >= 0 && command.slice(program + 1, program + 4).some((word) => makesFirst.includes(word))
}

function showsSecrets([program = '', ...words]: readonly string[]): boolean {
  return program === 'kubectl' && words.some((word) => /^secrets?(\/|$)/.test(word))
}

/** A user who logs in keeps the key in a file, and a user who gives one to a tenant puts it into a Secret. */
function isMeantInFile({ path, isPrivate, content }: FilePlace, { origin }: Sighting): boolean {
  if (origin === 'proof') return isPrivate && content === 'secrets'
  if (path.endsWith(manifest) || downloads.test(path)) return true
  if (!isPrivate) return false
  return kept.some((end) => path.endsWith(end)) || content === 'secrets' || content === 'kubeconfig'
}
