import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonText } from './json/json-text.ts'
import { parseJson } from './json/parse.ts'
import { parseYaml } from './json/yaml.ts'
import { toYaml } from './json/to-yaml.ts'
import { hasUnseen, visible, visibleLines } from './unseen.ts'

describe('what is not shown but acted on', () => {
  it.each([
    ['a colour', '\u001b[31mred', '?[31mred'],
    ['a colour by one byte', '\u009b31mred', '?31mred'],
    ['the title of the window', '\u001b]0;owned\u0007', '?]0;owned?'],
    ['the clipboard', '\u001b]52;c;cm0gLXJmIH4=\u0007', '?]52;c;cm0gLXJmIH4=?'],
    ['a link', '\u001b]8;;https://evil.example\u001b\\here', '?]8;;https://evil.example?\\here'],
    ['the start of the line', 'harmless\revil', 'harmless?evil'],
    ['another line', 'one\ntwo', 'one?two'],
    ['a line by another name', 'one\u2028two\u0085three', 'one?two?three'],
    ['the direction', 'safe\u202egpj.exe', 'safe?gpj.exe'],
    ['the direction of a part', 'a\u2066b\u2069c', 'a?b?c'],
    ['the direction by an Arabic letter mark', 'a\u061cb', 'a?b'],
    ['nothing, to look like another', 'ad\u200bmin\u2060\ufeff\u00ad', 'ad?min???'],
    ['nothing, as a letter', 'ad\u3164min\u115f', 'ad?min?'],
    ['hidden text in tags', 'a\u{e0041}\u{e007f}', 'a??'],
    ['half of a character', 'a\ud800b', 'a?b'],
  ])('in %s is replaced', (_, text, shown) => {
    expect(visible(text)).toBe(shown)
    expect(hasUnseen(text)).toBe(true)
  })

  it.each(['Zoë', '鍵の束', 'שלום', 'naïve 🗝️ ❤️', 'a\u0301'])('leaves %j as it is', (text) => {
    expect(visible(text)).toBe(text)
  })

  it('keeps lines and tabs where there are several lines', () => {
    expect(visibleLines('a\tb\nc\rd')).toBe('a\tb\nc?d')
  })

  it('is escaped in JSON and YAML, which say the same as before', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\u001b]52;c;x\u0007', '\u202e', '\u{e0041}', 'a\n\u009bb'))
    const value = fc.dictionary(text, fc.oneof(text, fc.array(text)))
    fc.assert(
      fc.property(value, (object) => {
        const plain: unknown = JSON.parse(JSON.stringify(object))
        const json = jsonText(plain)
        expect(parseJson(json).value).toEqual(plain)
        const yaml = toYaml(plain)
        expect(parseYaml(yaml).value).toEqual(plain)
        for (const printed of [json, yaml]) expect(hasUnseen(printed.replaceAll('\n', ''))).toBe(false)
      }),
    )
  })
})
