import { DOMParser } from '@xmldom/xmldom'
import { SignOnFailure } from '../failure.ts'

/** Each of them costs time when a signature is verified, before it is known whether the provider has made it. */
const most = { elements: 600, attributes: 1_500 }
const deepest = 40
const declaration = /^\s*<\?xml [^<>?]*\?>/

/**
 * The root of a document. A document type, entities, comments, CDATA sections and processing instructions are refused
 * before anything is parsed: they have no place in messages of this protocol, and parsers treat them differently.
 */
export function parseXml(text: string): Element {
  const body = text.replace(declaration, '')
  if (/<[!?]/.test(body)) throw untrusted('the message holds a document type, a comment or an instruction')
  // Stray end tags cost time, too.
  if (countOf(/<[^/]/g, body) > most.elements || countOf(/<\//g, body) > most.elements)
    throw untrusted('the message holds too many elements')
  if (countOf(/=/g, body) > most.attributes) throw untrusted('the message holds too many attributes')
  const root = parsed(body)
  if (depthOf(root) > deepest) throw untrusted('the elements of the message are nested too deep')
  return root
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0
}

function parsed(body: string): Element {
  try {
    const errorHandler = (_level: string, message: string): never => {
      throw new Error(message)
    }
    const root: Element | null = new DOMParser({ errorHandler }).parseFromString(body, 'text/xml').documentElement
    if (root !== null) return root
  } catch {
    throw untrusted('the message is not XML')
  }
  throw untrusted('the message is not XML')
}

export function untrusted(reason: string): SignOnFailure {
  return new SignOnFailure('untrusted', reason)
}

/** In document order, the element itself first. */
export function elementsIn(root: Element): readonly Element[] {
  const found: Element[] = []
  const waiting: Element[] = [root]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next)
    waiting.push(...[...childrenOf(next)].reverse())
  }
  return found
}

export function childrenOf(element: Element): readonly Element[] {
  const found: Element[] = []
  for (let child: Node | null = element.firstChild; child !== null; child = child.nextSibling) {
    if (isElement(child)) found.push(child)
  }
  return found
}

export function childrenNamed(element: Element, namespace: string, name: string): readonly Element[] {
  return childrenOf(element).filter((child) => child.namespaceURI === namespace && child.localName === name)
}

/** Undefined: there is none. More than one is refused: it would be arbitrary which one counts. */
export function onlyChild(element: Element, namespace: string, name: string): Element | undefined {
  const [child, another] = childrenNamed(element, namespace, name)
  if (another !== undefined) throw untrusted(`the message has more than one ${name}`)
  return child
}

export function xmlAttributes({ attributes }: Element): readonly Attr[] {
  return Array.from({ length: attributes.length }, (_, index) => attributes.item(index)).filter((each) => each !== null)
}

export function attributeOf(element: Element, name: string): string {
  return element.getAttribute(name) ?? ''
}

/** For an element that contains only text. */
export function textOf(element: Element | undefined): string {
  if (element === undefined) return ''
  if (childrenOf(element).length > 0) throw untrusted(`${element.localName ?? 'an element'} holds more than a text`)
  return (element.textContent ?? '').trim()
}

function depthOf(root: Element): number {
  let depth = 0
  for (let level: readonly Element[] = [root]; level.length > 0; level = level.flatMap(childrenOf)) depth += 1
  return depth
}

function isElement(node: Node): node is Element {
  return node.nodeType === node.ELEMENT_NODE
}
