// Renders a chart as Helm does, with the template engine and the functions that Helm has, once for each set of values.
// Reads a job as JSON from standard input, and writes what each rendering gave.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v2"
)

type object = map[string]interface{}

type rendering struct {
	Values     object   `json:"values"`
	Namespace  string   `json:"namespace"`
	ServedAPIs []string `json:"servedApis"`
}

type job struct {
	Chart      object            `json:"chart"`
	Templates  map[string]string `json:"templates"`
	Renderings []rendering       `json:"renderings"`
}

type result struct {
	Files map[string]string `json:"files"`
	Error string            `json:"error,omitempty"`
}

type served []string

func (versions served) Has(version string) bool {
	for _, each := range versions {
		if each == version {
			return true
		}
	}
	return false
}

func main() {
	var given job
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	results := []result{}
	for _, each := range given.Renderings {
		results = append(results, render(given, each))
	}
	json.NewEncoder(os.Stdout).Encode(results)
}

func render(given job, wanted rendering) result {
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(functions(root))
	for path, text := range given.Templates {
		if _, err := root.New(path).Parse(text); err != nil {
			return result{Error: err.Error()}
		}
	}
	files := map[string]string{}
	for path := range given.Templates {
		text, err := execute(root, path, data(given, wanted))
		if err != nil {
			return result{Error: err.Error()}
		}
		files[path] = text
	}
	return result{Files: files}
}

func data(given job, wanted rendering) object {
	return object{
		"Values":       wanted.Values,
		"Chart":        given.Chart,
		"Release":      object{"Name": "a-release", "Namespace": wanted.Namespace, "Service": "Helm"},
		"Capabilities": object{"APIVersions": served(wanted.ServedAPIs)},
	}
}

func execute(root *template.Template, name string, data interface{}) (string, error) {
	var text strings.Builder
	err := root.ExecuteTemplate(&text, name, data)
	return strings.ReplaceAll(text.String(), "<no value>", ""), err
}

func functions(root *template.Template) template.FuncMap {
	all := sprig.TxtFuncMap()
	delete(all, "env")
	delete(all, "expandenv")
	all["include"] = func(name string, data interface{}) (string, error) { return execute(root, name, data) }
	all["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	return all
}
