/** Whether a text is a host and a port as Go reads them: one colon between them, brackets only around the host. */
export function isHostPort(text: string): boolean {
  const colon = text.lastIndexOf(':')
  if (colon < 0) return false
  if (!text.startsWith('[')) return !text.slice(0, colon).includes(':') && !/[[\]]/.test(text)
  return text.indexOf(']') === colon - 1 && !text.includes('[', 1) && !text.includes(']', colon)
}
