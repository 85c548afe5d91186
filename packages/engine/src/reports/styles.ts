import { readAsset } from '../package-folder.ts';

/** Colours by what they stand for. Every text colour is checked for contrast on every ground it may stand on. */
export interface Palette {
  paper: string;
  surface: string;
  ink: string;
  quiet: string;
  line: string;
  link: string;
  risk: string;
  riskGround: string;
  implicit: string;
  implicitGround: string;
  exoneration: string;
  exonerationGround: string;
  both: string;
  bothGround: string;
  caution: string;
  cautionGround: string;
}

export const light: Palette = {
  paper: '#faf8f4',
  surface: '#ffffff',
  ink: '#22242a',
  quiet: '#5c606b',
  line: '#e3dfd6',
  link: '#28509e',
  risk: '#a02c1c',
  riskGround: '#fce6df',
  implicit: '#1c5285',
  implicitGround: '#dfecf9',
  exoneration: '#0c6156',
  exonerationGround: '#d9f0ea',
  both: '#6b3a86',
  bothGround: '#efe3f6',
  caution: '#7a4f00',
  cautionGround: '#fdf1d3',
};

export const dark: Palette = {
  paper: '#16181d',
  surface: '#1f2229',
  ink: '#e9e6df',
  quiet: '#a8acb6',
  line: '#363a44',
  link: '#9dbcff',
  risk: '#ffa893',
  riskGround: '#4a221a',
  implicit: '#93c5f5',
  implicitGround: '#17385b',
  exoneration: '#7cdccb',
  exonerationGround: '#123f38',
  both: '#dcb3f5',
  bothGround: '#40264f',
  caution: '#f2c766',
  cautionGround: '#40310e',
};

const variables = (palette: Palette) =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${colour}`)
    .join(';');

/** The styles that all pages share. */
export const renderStyles = (): string => `:root{color-scheme:light dark;${variables(light)}}
@media screen and (prefers-color-scheme:dark){:root{${variables(dark)}}}
${readAsset('report.css')}`;
