import { printable } from '../claims/printable.ts'
import { SignOnFailure } from '../failure.ts'
import {
  allowedTransforms,
  assertionNamespace,
  canonicalization,
  protocolNamespace,
  sha1Algorithms,
  signatureNamespace,
  statusPrefix,
  strongAlgorithms,
} from './names.ts'
import {
  attributeOf,
  childrenNamed,
  childrenOf,
  elementsIn,
  onlyChild,
  parseXml,
  untrusted,
  xmlAttributes,
} from './xml.ts'

const longestMessage = 256 * 1024
/** Each named prefix is searched for among all. */
const longestPrefixList = 256
/** No character fits two parts of it, so matching takes linear time. */
const base64Form = /^[A-Za-z0-9+/]+={0,2}$/

const singleParts = [
  'SignedInfo',
  'CanonicalizationMethod',
  'SignatureMethod',
  'Reference',
  'DigestMethod',
  'DigestValue',
]

export interface ShapedResponse {
  readonly xml: string
  readonly inResponseTo: string
  readonly destination: string
  readonly isSigned: boolean
}

/**
 * Reads a response of the one form that this platform accepts: one assertion, directly in the response, with its own
 * signature over itself. The signature is verified later; this leaves nothing for signature wrapping.
 */
export function readResponse(encoded: string, { allowsSha1 }: { readonly allowsSha1: boolean }): ShapedResponse {
  const xml = decoded(encoded)
  const response = parseXml(xml)
  requireNamed(response, protocolNamespace, 'Response')
  requireSuccess(response)
  const all = elementsIn(response)
  requireDistinctIds(all)
  if (all.some((element) => attributeOf(element, 'PrefixList').length > longestPrefixList)) {
    throw untrusted('a signature names too many prefixes')
  }
  const assertion = onlyAssertion(response, all)
  const signed = signaturesIn(response, assertion, all)
  if (!signed.some(({ parentNode }) => parentNode === assertion)) throw untrusted('the assertion is not signed')
  const allowed = allowsSha1 ? [...strongAlgorithms, ...sha1Algorithms] : strongAlgorithms
  for (const signature of signed) {
    requireSignatureShape(signature, signature.parentNode === assertion ? assertion : response, allowed)
  }
  return {
    xml,
    inResponseTo: attributeOf(response, 'InResponseTo'),
    destination: attributeOf(response, 'Destination'),
    isSigned: signed.some(({ parentNode }) => parentNode === response),
  }
}

/** Only UTF-8: another reader could decode other bytes as another message. */
function decoded(encoded: string): string {
  if (encoded.length > longestMessage) throw untrusted('the message is too long')
  const bare = encoded.trimEnd().replace(/[\r\n]/g, '')
  if (!base64Form.test(bare)) throw untrusted('the message is not in base64')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bare, 'base64'))
  } catch {
    throw untrusted('the message is not in UTF-8')
  }
}

function requireNamed(element: Element, namespace: string, name: string): void {
  if (element.namespaceURI !== namespace || element.localName !== name) throw untrusted(`the message is not a ${name}`)
  if (attributeOf(element, 'Version') !== '2.0') throw untrusted(`the ${name} is not of SAML 2.0`)
}

/** A provider's refusal is usually not signed, and can only end a sign-in. */
function requireSuccess(response: Element): void {
  const status = onlyChild(response, protocolNamespace, 'Status')
  const code = status && onlyChild(status, protocolNamespace, 'StatusCode')
  const value = code === undefined ? '' : attributeOf(code, 'Value')
  if (value === `${statusPrefix}Success`) return
  const [detail] = code === undefined ? [] : childrenNamed(code, protocolNamespace, 'StatusCode')
  const reason = [value, detail === undefined ? '' : attributeOf(detail, 'Value')]
    .map((each) => each.replace(statusPrefix, ''))
    .filter((each) => each !== '')
  throw new SignOnFailure('refused', printable(`the provider answered ${reason.join(', ') || 'without a status'}`))
}

/** Whatever the case of the attribute's name: a reference must not be ambiguous. */
function requireDistinctIds(all: readonly Element[]): void {
  const ids = all.flatMap((element) =>
    xmlAttributes(element)
      .filter(({ localName, name }) => /^id$/i.test(localName ?? name))
      .map(({ value }) => value),
  )
  if (new Set(ids).size !== ids.length) throw untrusted('two elements of the message have the same ID')
}

/** By its local name: an assertion in another namespace must not be mistaken for one later. */
function onlyAssertion(response: Element, all: readonly Element[]): Element {
  if (all.some(({ localName }) => /^Encrypted/.test(localName ?? ''))) {
    throw new SignOnFailure('misconfigured', 'the provider encrypts assertions, which is not supported: switch it off')
  }
  const [assertion, another] = all.filter(({ localName }) => localName === 'Assertion')
  if (assertion === undefined) throw untrusted('the response has no assertion')
  if (another !== undefined) throw untrusted('the response has more than one assertion')
  if (assertion.parentNode !== response) throw untrusted('the assertion is not where it must be')
  requireNamed(assertion, assertionNamespace, 'Assertion')
  return assertion
}

function signaturesIn(response: Element, assertion: Element, all: readonly Element[]): readonly Element[] {
  const signatures = all.filter(({ localName }) => localName === 'Signature')
  for (const { parentNode, namespaceURI } of signatures) {
    const isInPlace = parentNode === response || parentNode === assertion
    if (!isInPlace || namespaceURI !== signatureNamespace) throw untrusted('a signature is not where it must be')
  }
  if (new Set(signatures.map(({ parentNode }) => parentNode)).size !== signatures.length) {
    throw untrusted('an element has more than one signature')
  }
  return signatures
}

/** One reference, to the element that contains the signature, and nothing else that could be referred to. */
function requireSignatureShape(signature: Element, signed: Element, allowed: readonly string[]): void {
  const id = attributeOf(signed, 'ID')
  const parts = childrenOf(signature).map(({ localName }) => localName)
  const isPlain = ['SignedInfo', 'SignatureValue'].every((name) => parts.filter((part) => part === name).length === 1)
  if (!isPlain || parts.some((part) => !['SignedInfo', 'SignatureValue', 'KeyInfo'].includes(part ?? ''))) {
    throw untrusted('a signature has parts that it must not have')
  }
  const info = onlyChild(signature, signatureNamespace, 'SignedInfo')
  const reference = info && onlyChild(info, signatureNamespace, 'Reference')
  if (info === undefined || reference === undefined || id === '' || attributeOf(reference, 'URI') !== `#${id}`) {
    throw untrusted('a signature is not one over the element that it is in')
  }
  requireAlgorithms(info, reference, allowed)
  // By local name and anywhere, as the library looks for some of them: it would take the first one, even outside the
  // signed part.
  const everywhere = elementsIn(signature).map(({ localName }) => localName)
  if (singleParts.some((name) => everywhere.filter((each) => each === name).length !== 1)) {
    throw untrusted('a signature has a part twice, or lacks it')
  }
}

function requireAlgorithms(info: Element, reference: Element, allowed: readonly string[]): void {
  const transforms = onlyChild(reference, signatureNamespace, 'Transforms')
  const named = transforms === undefined ? [] : childrenOf(transforms).map((each) => attributeOf(each, 'Algorithm'))
  if (named.length === 0 || named.length > 2 || named.some((each) => !allowedTransforms.includes(each))) {
    throw untrusted('a signature transforms what it signs in a way that is not allowed')
  }
  const method = onlyChild(info, signatureNamespace, 'CanonicalizationMethod')
  if (method === undefined || attributeOf(method, 'Algorithm') !== canonicalization) {
    throw untrusted('a signature uses another form of XML than exclusive canonical XML')
  }
  for (const each of [
    onlyChild(info, signatureNamespace, 'SignatureMethod'),
    onlyChild(reference, signatureNamespace, 'DigestMethod'),
  ]) {
    const algorithm = each === undefined ? '' : attributeOf(each, 'Algorithm')
    if (allowed.includes(algorithm)) continue
    if (sha1Algorithms.includes(algorithm)) throw untrusted('the provider signs with SHA-1: see spec.saml.allowSha1')
    throw untrusted(printable(`the provider signs with ${algorithm || 'no algorithm'}, which is not allowed`))
  }
}
