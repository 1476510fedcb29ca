/** What a client sent is echoed only up to this length: the client knows it, and it may be megabytes. */
const longest = 10_000

/** The beginning of a long text, and how much of it is missing. */
export function shortened(text: string, most = longest): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`
}
