// Style sheets are bundled as text into scripts.

declare module '*.css' {
  const text: string;
  export default text;
}
