/** Text that is not the JSON or YAML it should be. The message is meant for whoever sent it. */
export class JsonSyntaxError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'JsonSyntaxError'
  }
}

/** More than anybody may ask to be read, whatever it says. */
export class TooMuchError extends JsonSyntaxError {}
