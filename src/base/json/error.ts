/** Text that is not the JSON or YAML it should be. The error message is meant for the sender. */
export class JsonSyntaxError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'JsonSyntaxError'
  }
}

/** The text exceeds what a client may send, whether or not it is valid. */
export class TooMuchError extends JsonSyntaxError {}
