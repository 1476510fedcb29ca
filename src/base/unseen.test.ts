import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonText } from './json/json-text.ts'
import { parseJson } from './json/parse.ts'
import { toYaml } from './json/to-yaml.ts'
import { parseYaml } from './json/yaml.ts'
import { hasUnseen, visible, visibleLines } from './unseen.ts'

describe('invisible characters', () => {
  it.each([
    ['a color', '\u001b[31mred', '\ufffd[31mred'],
    ['a color by one byte', '\u009b31mred', '\ufffd31mred'],
    ['the title of the window', '\u001b]0;owned\u0007', '\ufffd]0;owned\ufffd'],
    ['the clipboard', '\u001b]52;c;cm0gLXJmIH4=\u0007', '\ufffd]52;c;cm0gLXJmIH4=\ufffd'],
    ['a link', '\u001b]8;;https://evil.example\u001b\\here', '\ufffd]8;;https://evil.example\ufffd\\here'],
    ['the start of the line', 'harmless\revil', 'harmless\ufffdevil'],
    ['another line', 'one\ntwo', 'one\ufffdtwo'],
    ['a line by another name', 'one\u2028two\u0085three', 'one\ufffdtwo\ufffdthree'],
    ['the direction', 'safe\u202egpj.exe', 'safe\ufffdgpj.exe'],
    ['the direction of a part', 'a\u2066b\u2069c', 'a\ufffdb\ufffdc'],
    ['the direction by an Arabic letter mark', 'a\u061cb', 'a\ufffdb'],
    ['nothing, to look like another', 'ad\u200bmin\u2060\ufeff\u00ad', 'ad\ufffdmin\ufffd\ufffd\ufffd'],
    ['nothing, as a letter', 'ad\u3164min\u115f', 'ad\ufffdmin\ufffd'],
    ['hidden text in tags', 'a\u{e0041}\u{e007f}', 'a\ufffd\ufffd'],
    ['half of a character', 'a\ud800b', 'a\ufffdb'],
  ])('in %s are replaced', (_, text, shown) => {
    expect(visible(text)).toBe(shown)
    expect(hasUnseen(text)).toBe(true)
  })

  it.each(['Zoë', '鍵の束', 'שלום', 'naïve 🗝️ ❤️', 'a\u0301'])('do not include %j', (text) => {
    expect(visible(text)).toBe(text)
  })

  it('do not include line breaks and tabs in a text of several lines', () => {
    expect(visibleLines('a\tb\nc\rd')).toBe('a\tb\nc\ufffdd')
  })

  it('are escaped in JSON and YAML, which keep their meaning', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001b]52;c;x\u0007', '\u202e', '\u{e0041}', 'a\n\u009bb'),
    )
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
