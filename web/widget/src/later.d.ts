/** What a language says after a time was chosen; made when the widget is built. */
declare module '*?later' {
  const words: Partial<import('#shared/texts/index.ts').Texts>
  export default words
}
